// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecentEventsTest {
  /** Whoever writes a log can choose texts whose hashes agree in all other bits. */
  @Test
  void eventsThatDifferInTheirHighestBitsAloneHaveManyPlaces() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    RecentEvents events = new RecentEvents(1 << 13);
    Set<Long> alike = new HashSet<>();
    while (alike.size() < 1 << 12) {
      alike.add((long) random.nextInt(1 << 16) << 48 | 0x5a5a5a5a5a5aL);
    }
    alike.forEach(event -> events.exchange(event, 1));
    assertThat(alike.stream().map(events::home).distinct().count())
        .as("seed %d", seed)
        .isGreaterThan(100); // half of them and more by nearly every factor
  }

  @Test
  void theLastEventsAreRememberedAndOfOthersNothingWrongIsTold() {
    for (int capacity : new int[] {1, 10, 3_000}) {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      RecentEvents events = new RecentEvents(capacity);
      Map<Long, Long> all = new HashMap<>();
      Map<Long, Long> recent = new LinkedHashMap<>(); // the last ones, oldest first
      int forgotten = 0;
      for (int i = 0; i < 10 * capacity; i++) {
        long event = Fingerprint.mix(random.nextInt(4 * capacity));
        long number = random.nextInt(100) - 50;
        Long last = recent.remove(event);
        recent.put(event, number);
        if (recent.size() > capacity) {
          recent.remove(recent.keySet().iterator().next());
        }
        Long ever = all.put(event, number);
        long before = events.exchange(event, number);
        if (last != null) {
          assertThat(before).as("seed %d, capacity %d", seed, capacity).isEqualTo(last);
        } else if (before == RecentEvents.UNKNOWN) {
          forgotten += ever == null ? 0 : 1;
        } else {
          assertThat(before).as("seed %d, capacity %d", seed, capacity).isEqualTo(ever);
        }
      }
      assertThat(forgotten > 0 || capacity == 1).as("bounded, seed %d", seed).isTrue();
    }
  }
}
