// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.Closeable;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Watches how much heap is in use after each garbage collection: what is really held, nearly, and
 * not what has piled up since the last one.
 */
final class HeapAfterCollections implements Closeable {
  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());
  private final AtomicLong most = new AtomicLong();
  private final NotificationListener listener = (notification, handback) -> heard(notification);

  private HeapAfterCollections() {}

  static HeapAfterCollections watch() {
    HeapAfterCollections watch = new HeapAfterCollections();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(watch.listener, null, null);
      }
    }
    return watch;
  }

  private void heard(Notification notification) {
    if (notification.getUserData() instanceof CompositeData data) {
      long used =
          GarbageCollectionNotificationInfo.from(data)
              .getGcInfo()
              .getMemoryUsageAfterGc()
              .entrySet()
              .stream()
              .filter(pool -> heapPools.contains(pool.getKey()))
              .mapToLong(pool -> pool.getValue().getUsed())
              .sum();
      most.accumulateAndGet(used, Math::max);
    }
  }

  /** Bytes; 0 when nothing was collected. */
  long most() {
    return most.get();
  }

  @Override
  public void close() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        try {
          emitter.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
          throw new IllegalStateException("the collectors' listeners were changed meanwhile", e);
        }
      }
    }
  }
}
