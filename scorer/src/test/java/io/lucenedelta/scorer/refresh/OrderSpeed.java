// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * How long {@link UserUtility} takes to plan and to pick the best of many pages: prints processor
 * seconds of one thread. Histories lie in arrays, so that the strategy is measured and not a store.
 *
 * <p>{@code mvn -q -pl scorer -am test-compile}, then {@code java -Xmx3g -cp
 * query-workload/target/classes:scorer/target/classes:scorer/target/test-classes
 * io.lucenedelta.scorer.refresh.OrderSpeed 10000000 1000}
 */
final class OrderSpeed {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final int KEYS = 1 << 16;

  private OrderSpeed() {}

  /** Number of pages, pages to pick. */
  public static void main(String[] args) {
    int pages = Integer.parseInt(args[0]);
    int picked = Integer.parseInt(args[1]);
    Columns known = new Columns(pages);
    Instant now = TestPage.day(400);
    RefreshBudget budget = RefreshBudget.atAnyTime(picked, now);
    for (int round = 0; round < 5; round++) {
      long begin = CLOCK.getCurrentThreadCpuTime();
      RefreshPlan plan = new UserUtility(1).plan(known, budget);
      long planned = CLOCK.getCurrentThreadCpuTime();
      int found = plan.next(known, now, picked).size();
      long done = CLOCK.getCurrentThreadCpuTime();
      System.out.printf(
          "%,d pages: plan %.2f s, best %,d in %.2f s%n",
          pages, (planned - begin) / 1e9, found, (done - planned) / 1e9);
    }
  }

  /** Made-up histories: 65,536 different keys in 4,096 directories, repeated. */
  private static final class Columns implements KnownPages {
    private final String[] keys = new String[KEYS];
    private final int[] fetchedDay;
    private final float[] gain;
    private final float[] usefulness;

    Columns(int pages) {
      for (int key = 0; key < KEYS; key++) {
        keys[key] =
            "https://www.site%02d.example/section%02d/topic/page-%d.html"
                .formatted(key % 64, key / 64 % 64, key);
      }
      fetchedDay = new int[pages];
      gain = new float[pages];
      usefulness = new float[pages];
      for (int page = 0; page < pages; page++) {
        double random = TopPages.fraction(page, "day");
        fetchedDay[page] = (int) (399 * random);
        double tail = 1 / (1e-4 + TopPages.fraction(page, "use"));
        usefulness[page] = (float) tail;
        gain[page] = TopPages.fraction(page, "gain") < 0.7 ? 0 : (float) (random * tail);
      }
    }

    @Override
    public long size() {
      return gain.length;
    }

    @Override
    public void forEach(Consumer<? super KnownPage> reader) {
      Row row = new Row();
      KnownPages.SummedPage page = new KnownPages.SummedPage(row);
      for (row.number = 0; row.number < gain.length; row.number++) {
        reader.accept(page);
      }
    }

    private final class Row implements PageHistory {
      private int number;

      @Override
      public String page() {
        return keys[number & (KEYS - 1)];
      }

      @Override
      public Instant lastRefresh() {
        return Instant.ofEpochSecond(1_704_067_200L + 86_400L * fetchedDay[number]);
      }

      @Override
      public int refreshes() {
        return 3;
      }

      @Override
      public int changes() {
        return gain[number] > 0 ? 1 : 0;
      }

      @Override
      public double sumOfRates() {
        return gain[number] / 100;
      }

      @Override
      public double totalGain() {
        return gain[number];
      }

      @Override
      public double totalDays() {
        return fetchedDay[number];
      }

      @Override
      public double usefulness() {
        return usefulness[number];
      }
    }
  }
}
