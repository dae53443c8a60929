// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * A file of refreshes, pages in the order of their keys, refreshes of a page oldest first:
 *
 * <pre>
 * file → header, (1 (byte), key length, key, n, refresh ^ n) ^ pages, 0 (byte), footer
 * </pre>
 *
 * Header and footer are Lucene's {@link CodecUtil}: magic, name, version; checksum. Written once,
 * then only read.
 */
final class RefreshFile {
  private static final String CODEC = "LuceneDeltaRefreshes";
  private static final int VERSION = 0;

  private RefreshFile() {}

  /** Writes pages in ascending order; deletes the file when closed without {@link #finish}. */
  static final class Writer implements Closeable {
    private final Directory directory;
    private final String name;
    private final IndexOutput out;
    private boolean finished;

    Writer(Directory directory, String name) throws IOException {
      this.directory = directory;
      this.name = name;
      IOUtils.deleteFilesIgnoringExceptions(directory, name);
      this.out = directory.createOutput(name, IOContext.DEFAULT);
      CodecUtil.writeHeader(out, CODEC, VERSION);
    }

    void page(BytesRef key, List<Refresh> refreshes) throws IOException {
      beginPage(key, refreshes.size());
      for (Refresh refresh : refreshes) {
        refresh.write(out);
      }
    }

    /** Begins a page; exactly {@code refreshes} calls of {@link #refresh} must follow. */
    void beginPage(BytesRef key, int refreshes) throws IOException {
      out.writeByte((byte) 1);
      out.writeVInt(key.length);
      out.writeBytes(key.bytes, key.offset, key.length);
      out.writeVInt(refreshes);
    }

    void refresh(Refresh refresh) throws IOException {
      refresh.write(out);
    }

    /** Ends the file and makes it durable. */
    void finish() throws IOException {
      out.writeByte((byte) 0);
      CodecUtil.writeFooter(out);
      out.close();
      directory.sync(List.of(name));
      directory.syncMetaData();
      finished = true;
    }

    @Override
    public void close() throws IOException {
      if (!finished) {
        IOUtils.closeWhileHandlingException(out);
        IOUtils.deleteFilesIgnoringExceptions(directory, name);
      }
    }
  }

  /** Reads pages in order; the checksum is checked at the end. */
  static final class Reader implements Closeable {
    private final ChecksumIndexInput in;
    private BytesRef key;
    private List<Refresh> refreshes;

    Reader(Directory directory, String name) throws IOException {
      this.in = directory.openChecksumInput(name);
      try {
        CodecUtil.checkHeader(in, CODEC, VERSION, VERSION);
      } catch (Throwable t) {
        IOUtils.closeWhileSuppressingExceptions(t, in);
        throw t;
      }
    }

    /** Moves to the next page, false at the end. */
    boolean next() throws IOException {
      if (in.readByte() == 0) {
        CodecUtil.checkFooter(in);
        key = null;
        return false;
      }
      byte[] bytes = new byte[in.readVInt()];
      in.readBytes(bytes, 0, bytes.length);
      key = new BytesRef(bytes);
      int n = in.readVInt();
      refreshes = new ArrayList<>(n);
      for (int i = 0; i < n; i++) {
        refreshes.add(Refresh.read(in));
      }
      return true;
    }

    /** The current page's key, a new object for every page. */
    BytesRef key() {
      return key;
    }

    List<Refresh> refreshes() {
      return refreshes;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
