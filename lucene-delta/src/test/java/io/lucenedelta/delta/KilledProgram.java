// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Indexes batches until it is killed: {@code FOLDER}. Every batch refreshes the page {@code
 * sentinel} with the batch's number, so that the index itself tells what was committed.
 */
public final class KilledProgram {
  static final String SENTINEL = "sentinel";
  private static final String[] WORDS = {"alpha", "beta", "gamma", "delta", "other", "words"};

  private KilledProgram() {}

  static DeltaConfig config() {
    return DeltaConfig.builder(
            Workload.builder()
                .add(List.of("alpha"), 5)
                .add(List.of("beta", "gamma"), 3)
                .add(List.of("delta"), 1)
                .build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .rebuildEvery(7)
        .build();
  }

  /** When batch {@code number} fetched its pages. */
  static Instant time(int number) {
    return RandomDocuments.START.plusSeconds(3600L * number);
  }

  /** The last batch that the index holds, -1 when there is none. */
  static int lastBatch(Directory directory) throws Exception {
    if (!DirectoryReader.indexExists(directory)) {
      return -1;
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      ScoreDoc[] found =
          new IndexSearcher(reader).search(new TermQuery(new Term("url", SENTINEL)), 1).scoreDocs;
      return found.length == 0
          ? -1
          : reader
              .storedFields()
              .document(found[0].doc)
              .getField("batch")
              .numericValue()
              .intValue();
    }
  }

  /** Runs until killed; the file {@code ready} says that the first commit is near. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      int batch = lastBatch(directory) + 1;
      Random random = new Random(batch);
      IndexWriterConfig writerConfig =
          new IndexWriterConfig(new WhitespaceAnalyzer()).setMaxBufferedDocs(8);
      try (DeltaIndexWriter writer = new DeltaIndexWriter(directory, writerConfig, config)) {
        Files.writeString(folder.resolve("ready"), "");
        for (; ; batch++) {
          update(writer, config, SENTINEL, random, batch);
          for (int i = random.nextInt(30); i > 0; i--) {
            String key = "page" + random.nextInt(60);
            if (random.nextInt(10) == 0) {
              writer.deleteDocuments(new Term("url", key));
            } else {
              update(writer, config, key, random, batch);
            }
          }
          writer.commit();
        }
      }
    }
  }

  private static void update(
      DeltaIndexWriter writer, DeltaConfig config, String key, Random random, int batch)
      throws Exception {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 1 + random.nextInt(15); i++) {
      body.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
    }
    Document document = new Document();
    document.add(new StringField("url", key, Field.Store.YES));
    document.add(new StringField("uid", "u" + batch, Field.Store.YES));
    document.add(new StoredField("batch", batch));
    document.add(new TextField("body", body.toString(), Field.Store.NO));
    document.add(config.fetchTime(time(batch)));
    writer.updateDocument(new Term("url", key), document);
  }
}
