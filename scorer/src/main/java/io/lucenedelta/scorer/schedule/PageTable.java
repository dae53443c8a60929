// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Numbers about pages, in page-key order, so that no sum or solver sees the order in which pages
 * were handed out.
 *
 * @param pages page keys, ascending
 * @param columns the numbers: element c holds number c of every page
 */
record PageTable(String[] pages, double[][] columns) {
  /** Computes numbers for every page. */
  static PageTable of(KnownPages known, int width, Function<KnownPage, double[]> row) {
    record Numbered(String page, double[] numbers) {}
    List<Numbered> rows = new ArrayList<>();
    known.forEach(page -> rows.add(new Numbered(page.page(), row.apply(page))));
    rows.sort(Comparator.comparing(Numbered::page));
    double[][] columns = new double[width][rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      for (int c = 0; c < width; c++) {
        columns[c][i] = rows.get(i).numbers()[c];
      }
    }
    return new PageTable(rows.stream().map(Numbered::page).toArray(String[]::new), columns);
  }

  int size() {
    return pages.length;
  }

  double[] column(int number) {
    return columns[number];
  }

  /** One number by page key. */
  Map<String, Double> byPage(double[] numbers) {
    Map<String, Double> map = new HashMap<>(2 * pages.length);
    for (int i = 0; i < pages.length; i++) {
      map.put(pages[i], numbers[i]);
    }
    return map;
  }
}
