// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;

/**
 * Pages of random words under few keys; every document has a serial number and a time of its own.
 */
final class RandomDocuments {
  static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  static final String BOOM = "boom";
  private static final String[] WORDS = {
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "caf\u00e9",
    "\ud835\udd38",
    "other",
    "words",
    "that",
    "nobody",
    "asks"
  };

  private final DeltaConfig config;
  private final List<FieldType> types = new ArrayList<>();
  private final AtomicInteger serial = new AtomicInteger();
  private final int keys;

  RandomDocuments(DeltaConfig config, Random random, int keys) {
    this.config = config;
    this.keys = keys;
    for (int field = 0; field < config.scoredFields().size(); field++) {
      types.add(fieldType(random));
    }
  }

  private static FieldType fieldType(Random random) {
    FieldType type = new FieldType();
    type.setTokenized(true);
    type.setIndexOptions(
        random.nextInt(3) > 0
            ? IndexOptions.DOCS_AND_FREQS_AND_POSITIONS
            : new IndexOptions[] {
                  IndexOptions.DOCS,
                  IndexOptions.DOCS_AND_FREQS,
                  IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS
                }
                [random.nextInt(3)]);
    type.setOmitNorms(random.nextInt(4) == 0);
    type.setStoreTermVectors(random.nextInt(4) == 0);
    type.freeze();
    return type;
  }

  String key(int number) {
    return "http://example.org/" + number % keys;
  }

  /** A document of a key, or without a key when it is null. */
  Document document(Random random, String key, boolean fails, String prefix) {
    Document document = new Document();
    int number = serial.incrementAndGet();
    if (key != null) {
      document.add(new StringField("url", key, Field.Store.YES));
    }
    document.add(new StringField("uid", prefix + number, Field.Store.YES));
    document.add(config.fetchTime(time(number)));
    document.add(new StringField("tag", "c" + random.nextInt(4), Field.Store.NO));
    document.add(new NumericDocValuesField("sort", random.nextInt(1000)));
    document.add(new NumericDocValuesField("number", random.nextInt(10)));
    document.add(new SortedNumericDocValuesField("numbers", number));
    document.add(new BinaryDocValuesField("blob", new BytesRef("b" + random.nextInt(9))));
    for (int field = 0; field < types.size(); field++) {
      if (random.nextInt(8) > 0) {
        String text = text(random) + (fails && field == types.size() - 1 ? " " + BOOM : "");
        document.add(new Field(config.scoredFields().get(field).name(), text, types.get(field)));
      } else if (fails) {
        document.add(new Field(config.scoredFields().get(field).name(), BOOM, types.get(field)));
      }
    }
    return document;
  }

  static Instant time(int number) {
    return START.plusSeconds(3600L * number);
  }

  /** The time of the document with a serial number. */
  static long millis(String uid) {
    return time(Integer.parseInt(uid.substring(1))).toEpochMilli();
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(4) == 0 ? random.nextInt(60) : random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
    }
    return text.toString();
  }

  /** The same kind of pages as columns: each key has one document. */
  List<RandomColumns.Field> columns(Random random, List<String> pages) {
    List<String> uids = new ArrayList<>();
    List<String> times = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < pages.size(); i++) {
      int number = serial.incrementAndGet();
      uids.add("u" + number);
      times.add(time(number).toString());
      texts.add(text(random));
    }
    FieldType stored = new FieldType(StringField.TYPE_STORED);
    return List.of(
        new RandomColumns.Field("url", stored, pages),
        new RandomColumns.Field("uid", stored, uids),
        new RandomColumns.Field("fetched", StringField.TYPE_NOT_STORED, times),
        new RandomColumns.Field(config.scoredFields().get(0).name(), types.get(0), texts));
  }
}
