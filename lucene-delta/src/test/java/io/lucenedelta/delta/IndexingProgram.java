// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Indexes the same random pages with or without measuring: {@code plain|measured FOLDER
 * [FILE-FOR-TROUBLES]}.
 */
public final class IndexingProgram {
  private IndexingProgram() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    List<String> troubles = Collections.synchronizedList(new ArrayList<>());
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder()
                    .add(List.of("alpha"), 3)
                    .add(List.of("beta", "gamma"), 1)
                    .build())
            .keyField("url")
            .scoredField("f0")
            .scoredField("f1", 2)
            .fetchTimeField("fetched")
            .listener(
                new DeltaListener() {
                  @Override
                  public void trouble(Trouble kind, String sentence, Throwable cause) {
                    troubles.add(sentence + " " + cause);
                  }
                })
            .build();
    Random random = new Random(7);
    RandomDocuments documents = new RandomDocuments(config, random, 50);
    IndexWriterConfig writerConfig =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setMaxBufferedDocs(10)
            .setMergeScheduler(new SerialMergeScheduler())
            .setMergePolicy(new TieredMergePolicy().setSegmentsPerTier(4));
    try (Directory directory = FSDirectory.open(Path.of(arguments[1]));
        IndexWriter writer =
            arguments[0].equals("plain")
                ? new IndexWriter(directory, writerConfig)
                : new DeltaIndexWriter(directory, writerConfig, config)) {
      for (int i = 0; i < 300; i++) {
        String key = documents.key(random.nextInt(50));
        Document document = documents.document(random, key, false, "u");
        writer.updateDocument(new Term("url", key), document);
        if (i % 90 == 0) {
          writer.deleteDocuments(new Term("tag", "c1"));
        }
        if (i % 70 == 0) {
          DirectoryReader.open(writer).close();
        }
        if (i % 100 == 0) {
          writer.commit();
        }
      }
      if (arguments.length > 2) {
        Files.write(Path.of(arguments[2]), troubles);
      }
    }
  }
}
