// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.util.BytesRef;

/**
 * Brings the page store to another workload: histories stay as they are, vectors lose the terms
 * that nobody asks for any more and gain the new ones, of which alone the postings are read.
 *
 * <p>Works in place on a store that stands for the very commit that is read. The caller must have
 * marked the store as not clean: a process that dies here leaves it half done.
 */
final class VectorCompletion {
  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final Path folder; // a file is there while segments are read
  private final WorkloadChange change;
  private final PageStore pages;
  private final PageEntry entry = new PageEntry();
  private final VectorBuffer joined = new VectorBuffer();
  private long done;
  private long all;

  VectorCompletion(
      DeltaConfig config,
      WorkloadTerms terms,
      Path folder,
      WorkloadChange change,
      PageStore pages) {
    this.config = config;
    this.terms = terms;
    this.folder = folder;
    this.change = change;
    this.pages = pages;
  }

  /**
   * Completes every page of the commit.
   *
   * @param present how many pages the store holds for it
   * @throws IOException if the store turns out to stand for something else
   */
  void complete(DirectoryReader reader, long present) throws IOException {
    all = present;
    new IndexPages(config, terms, folder, change.added()).read(reader.leaves(), this::page);
    if (done != present) {
      throw new IOException(
          "the page store knows %d pages of the index, which has %d".formatted(present, done));
    }
  }

  private void page(BytesRef key, String segment, int doc, long fetched, VectorBuffer read)
      throws IOException {
    if (!pages.get(key, entry) || !entry.present) {
      throw new IOException("page " + PageKeys.name(key) + " is not in the page store");
    }
    change.carry(entry.vector, read, joined);
    entry.vector.copyFrom(joined);
    pages.put(key, entry);
    done++;
    if (change.added().length > 0 && (done % 10_000 == 0 || done == all)) { // else none is read
      String what =
          String.format(
              Locale.ROOT, "reading %,d new terms of the workload", change.added().length);
      config.listener().progress(what, done, all);
    }
  }
}
