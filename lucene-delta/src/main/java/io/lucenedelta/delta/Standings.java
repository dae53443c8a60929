// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.ImportanceOrder;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.scorer.rank.RankTable;
import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexInput;

/**
 * What pages rank by where importance alone scores them: their places in the order of all pages of
 * a commit, see {@link ImportanceOrder}.
 *
 * <pre>
 * bytes → pages (int64), sampled (vint), (key (string), importance (double)) ^ sampled
 * </pre>
 */
final class Standings {
  private final ImportanceOrder order;
  private final Importance importance;

  private Standings(ImportanceOrder order, Importance importance) {
    this.order = order;
    this.importance = importance;
  }

  /** The order of a commit's pages; null when something else than importance scores them. */
  static Standings of(IndexReader reader, DeltaConfig config) throws IOException {
    if (!config.ranksByImportance()) {
      return null;
    }
    ImportanceOrder.Builder pages = ImportanceOrder.builder(config.hashSeed());
    for (LeafReaderContext leaf : reader.leaves()) {
      PageKeys.of(leaf.reader(), config.keyField())
          .forEach(
              (key, doc) -> {
                String page = PageKeys.name(key);
                pages.add(page, config.importance().of(page));
              });
    }
    return new Standings(pages.build(), config.importance());
  }

  /** The standing of a page. */
  float of(String page) {
    return order.standing(page, importance.of(page));
  }

  /** Measures shifts of standings over rank functions of standings. */
  ShiftMeter over(RankTable table, ViewingLikelihood views) {
    return order.over(table, views);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(order.pages());
    out.writeVInt(order.sampled());
    for (int i = 0; i < order.sampled(); i++) {
      out.writeString(order.sampledKey(i));
      out.writeLong(Double.doubleToLongBits(order.sampledImportance(i)));
    }
  }

  static Standings read(IndexInput in, DeltaConfig config) throws IOException {
    long pages = in.readLong();
    String[] keys = new String[StateFiles.readCount(in)];
    double[] importances = new double[keys.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = StateFiles.readString(in);
      importances[i] = Double.longBitsToDouble(in.readLong());
    }
    return new Standings(ImportanceOrder.of(pages, keys, importances), config.importance());
  }
}
