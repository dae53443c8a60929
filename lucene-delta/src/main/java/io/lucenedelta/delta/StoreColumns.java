// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * The columns of a page store: taken over from the writer before, or copied when first asked for;
 * kept up to date, and saved for the next writer when this one closes cleanly.
 *
 * <p>What a writer saved is looked at, every byte of it, at the first question or the first write,
 * whichever comes first. Whatever goes wrong with columns, they are dropped and made anew by
 * whoever asks next; nothing else depends on them.
 */
final class StoreColumns implements Closeable {
  private final Path folder;
  private Directory files; // where columns were saved; null if none were
  private DeltaListener listener = new DeltaListener() {};
  private long hashSeed;
  private long number;
  private long saved; // number of the columns that a writer has saved, 0 if none has
  private PageColumns columns; // null until asked for, and after they could not be written

  StoreColumns(Path folder) {
    this.folder = folder;
  }

  /** Says who hears of columns that cannot be read or written. */
  void heardBy(DeltaListener told) {
    listener = told;
  }

  /** Says by what keys are hashed, before columns are asked for or saved; else by 0. */
  void hashedBy(long seed) {
    hashSeed = seed;
  }

  /** Says where a writer that closed cleanly has saved columns. */
  void savedIn(Directory stateFiles, long savedNumber) {
    files = stateFiles;
    number = savedNumber;
    saved = savedNumber;
  }

  /**
   * The columns of a store, copied if there are none: into a file with another name than saved ones
   * had, which other processes may be reading.
   */
  PageColumns of(PageStore store) throws IOException {
    Throwable unreadable = takeOver();
    try {
      if (columns == null) {
        long first = Math.max(store.number(), saved + 1);
        number = MappedBlocks.free(n -> OrderFile.columns(folder, n), first);
        columns = PageColumns.of(store, OrderFile.columns(folder, number), hashSeed);
      }
      return columns;
    } finally {
      tellUnreadable(unreadable); // last: who hears of it may have another store made
    }
  }

  /** Takes over what was saved; returns why it cannot be read, null if it can, or nothing was. */
  private Throwable takeOver() {
    if (files == null) {
      return null;
    }
    Directory savedFiles = files;
    files = null;
    try {
      MappedBlocks memory = MappedBlocks.open(OrderFile.columns(folder, number));
      columns = OrderFile.read(savedFiles, number, memory, hashSeed);
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  private void tellUnreadable(Throwable why) {
    if (why != null) {
      listener.trouble(
          Trouble.RETRIED,
          "what orders the pages cannot be read and is made anew when needed",
          why);
    }
  }

  /** Follows a write to the store; false if there was nothing to bring up to date. */
  boolean put(BytesRef key, PageEntry entry) {
    if (columns == null && files == null) {
      return false;
    }
    tellUnreadable(takeOver());
    if (columns != null) {
      try {
        columns.put(key, entry);
      } catch (IOException | RuntimeException | Error e) {
        close(); // first: who hears of it may ask for the columns
        listener.trouble(
            Trouble.RETRIED,
            "what orders the pages could not follow a change and is made anew when needed",
            e);
      }
    }
    return true;
  }

  /** Saves the columns for the next writer; returns their number, 0 if there are none. */
  long save(Directory stateFiles) throws IOException {
    if (columns != null) {
      OrderFile.write(stateFiles, number, columns);
      columns.keep();
      columns = null;
      return number;
    }
    return files == null ? 0 : number;
  }

  /** Drops the columns, unless nobody looked at them yet. */
  @Override
  public void close() {
    PageColumns old = columns;
    columns = null;
    IOUtils.closeWhileHandlingException(old); // a file that stays is deleted at the next opening
  }

  /** Drops the columns and what was saved of them. */
  void forget() {
    close();
    if (files != null) {
      files = null;
      IOUtils.deleteFilesIgnoringExceptions(OrderFile.columns(folder, number));
    }
  }
}
