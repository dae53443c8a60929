// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteArrayDataOutput;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * A file of refreshes, pages in the order of their keys, refreshes of a page oldest first:
 *
 * <pre>
 * file → header, page ^ pages, 0 (byte), place (int64) ^ blocks, blocks (int32), footer
 * page → 1 (byte), key length, key, n, refresh ^ n
 * </pre>
 *
 * A place is where the first page of a block of {@value #BLOCK_BYTES} bytes or a little more
 * begins: one page is found without reading the others. Header and footer are Lucene's {@link
 * CodecUtil}: magic, name, version; checksum. Written once, then only read.
 */
final class RefreshFile {
  private static final String CODEC = "LuceneDeltaRefreshes";
  private static final int VERSION = 1;
  private static final int BLOCK_BYTES = 1 << 14;

  private RefreshFile() {}

  /**
   * The refreshes of one page, oldest first, none if it has none. Reads a block and what it takes
   * to find it, so it does not check the checksum; but a file without an end is not taken for one
   * without the page.
   */
  static List<Refresh> find(Directory directory, String name, BytesRef page) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      CodecUtil.retrieveChecksum(in);
      in.seek(0);
      StateFiles.requireVersion(in, StateFiles.path(directory, name), CODEC, VERSION);
      return seekBlock(in, page) ? findFromHere(in, page) : List.of();
    } catch (AlreadyClosedException closed) {
      throw closed; // by another thread, meanwhile
    } catch (RuntimeException e) {
      throw new CorruptIndexException("refreshes cannot be read", name, e);
    }
  }

  /** Moves to the block that has a page if any has, false when all begin after it. */
  private static boolean seekBlock(IndexInput in, BytesRef page) throws IOException {
    long begin = in.getFilePointer();
    long end = in.length() - CodecUtil.footerLength() - Integer.BYTES;
    in.seek(end);
    int blocks = in.readInt();
    long places = end - (long) Long.BYTES * blocks;
    if (blocks < 0 || places <= begin) {
      throw new CorruptIndexException(
          "%d blocks cannot be in %d bytes: the file is damaged".formatted(blocks, end - begin),
          in);
    }
    int low = 0;
    int high = blocks; // the first that begins after the page
    while (low < high) {
      int middle = (low + high) >>> 1;
      seekPlace(in, places, middle);
      in.readByte();
      if (readKey(in).compareTo(page) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low > 0) {
      seekPlace(in, places, low - 1);
    }
    return low > 0;
  }

  private static void seekPlace(IndexInput in, long places, int block) throws IOException {
    in.seek(places + (long) Long.BYTES * block);
    in.seek(in.readLong());
  }

  private static List<Refresh> findFromHere(IndexInput in, BytesRef page) throws IOException {
    while (in.readByte() != 0) {
      int order = readKey(in).compareTo(page);
      List<Refresh> refreshes = readRefreshes(in);
      if (order >= 0) {
        return order == 0 ? refreshes : List.of();
      }
    }
    return List.of();
  }

  /**
   * Reads a file from begin to end.
   *
   * @throws CorruptIndexException if it does not hold what was written, its version included
   * @throws IOException if it cannot be read, or is whole and of a version that is not
   */
  static void check(Directory directory, String name) throws IOException {
    StateFiles.openWhole(directory, name, CODEC, VERSION).close();
  }

  /**
   * Looks whether a file has an end: one that is empty, was broken off or overwritten has none.
   *
   * @throws CorruptIndexException if not
   */
  static void checkEnd(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      CodecUtil.retrieveChecksum(in);
    }
  }

  /**
   * What to tell who asks and cannot be answered as a file that the manifest names is gone or
   * damaged; any other failure as it is.
   */
  static IOException lost(Directory directory, String name, IOException e) {
    String path = StateFiles.path(directory, name);
    if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
      return new MissingFile(
          path,
          "a file of refreshes that these measurements are made of: put it back, from a backup perhaps, by copying it under another name and renaming it, since a writer may read it meanwhile. Without it, close the writer and open the index with a new DeltaIndexWriter; what the file told is lost then",
          e);
    }
    if (e instanceof CorruptIndexException || e instanceof EOFException) {
      return new CorruptIndexException(
          "%s is damaged, a file of refreshes that these measurements are made of: put a whole one in its place, from a backup perhaps, by copying it under another name and renaming it, since a writer may read it meanwhile. Without one, close the writer, move the file away and open the index with a new DeltaIndexWriter; what the file told is lost then"
              .formatted(path),
          name,
          e);
    }
    return e;
  }

  private static BytesRef readKey(DataInput in) throws IOException {
    int length = in.readVInt();
    if (length < 0 || length > IndexWriter.MAX_TERM_LENGTH) {
      throw new CorruptIndexException("a key cannot have " + length + " bytes", in);
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes, 0, length);
    return new BytesRef(bytes);
  }

  private static List<Refresh> readRefreshes(DataInput in) throws IOException {
    List<Refresh> refreshes = new ArrayList<>(1);
    for (int left = in.readVInt(); left > 0; left--) {
      refreshes.add(Refresh.read(in));
    }
    return refreshes;
  }

  private static void writePage(DataOutput out, BytesRef key, int refreshes) throws IOException {
    out.writeByte((byte) 1);
    out.writeVInt(key.length);
    out.writeBytes(key.bytes, key.offset, key.length);
    out.writeVInt(refreshes);
  }

  /** Pages that will be written, in memory until then; reusable, for one thread at a time. */
  static final class Buffer {
    private byte[] bytes = new byte[BLOCK_BYTES];
    private final ByteArrayDataOutput out = new ByteArrayDataOutput(bytes);
    private int[] places = new int[1];
    private int size;

    void clear() {
      out.reset(bytes);
      size = 0;
    }

    private void makeRoom(int more) {
      int used = out.getPosition();
      if (bytes.length - used < more) {
        bytes = ArrayUtil.grow(bytes, Math.addExact(used, more));
        out.reset(bytes, used, bytes.length - used);
      }
    }

    /** Begins a page; exactly {@code refreshes} calls of {@link #refresh} must follow. */
    void beginPage(BytesRef key, int refreshes) throws IOException {
      makeRoom(1 + 5 + key.length + 5);
      places = ArrayUtil.grow(places, size + 1);
      places[size++] = out.getPosition();
      writePage(out, key, refreshes);
    }

    void refresh(Refresh refresh) throws IOException {
      makeRoom(Refresh.MOST_BYTES);
      refresh.write(out);
    }

    void refresh(StoredRefresh settled, boolean withDetails) throws IOException {
      makeRoom(Refresh.MOST_BYTES);
      settled.writeSettled(out, withDetails);
    }

    /** Whether it is time to {@linkplain Writer#append append} what there is to the file. */
    boolean isLarge() {
      return out.getPosition() >= BLOCK_BYTES;
    }
  }

  /** Writes pages in ascending order; deletes the file when closed without {@link #finish}. */
  static final class Writer implements Closeable {
    private final Directory directory;
    private final String name;
    private final IndexOutput out;
    private long[] places = new long[1];
    private int blocks;
    private boolean finished;

    Writer(Directory directory, String name) throws IOException {
      this.directory = directory;
      this.name = name;
      IOUtils.deleteFilesIgnoringExceptions(directory, name);
      try {
        this.out = directory.createOutput(name, IOContext.DEFAULT);
        CodecUtil.writeHeader(out, CODEC, VERSION);
      } catch (IOException e) {
        throw StateFiles.unwritten(directory, name, e);
      }
    }

    void page(BytesRef key, List<Refresh> refreshes) throws IOException {
      beginBlock(out.getFilePointer());
      try {
        writePage(out, key, refreshes.size());
        for (Refresh refresh : refreshes) {
          refresh.write(out);
        }
      } catch (IOException e) {
        throw StateFiles.unwritten(directory, name, e);
      }
    }

    /** Writes pages that come after all that were written. */
    void append(Buffer buffer) throws IOException {
      long begin = out.getFilePointer();
      for (int page = 0; page < buffer.size; page++) {
        beginBlock(begin + buffer.places[page]);
      }
      try {
        out.writeBytes(buffer.bytes, 0, buffer.out.getPosition());
      } catch (IOException e) {
        throw StateFiles.unwritten(directory, name, e);
      }
    }

    private void beginBlock(long place) {
      if (blocks == 0 || place - places[blocks - 1] >= BLOCK_BYTES) {
        places = ArrayUtil.grow(places, blocks + 1);
        places[blocks++] = place;
      }
    }

    /** Ends the file and makes it durable. */
    void finish() throws IOException {
      try {
        out.writeByte((byte) 0);
        for (int block = 0; block < blocks; block++) {
          out.writeLong(places[block]);
        }
        out.writeInt(blocks);
        CodecUtil.writeFooter(out);
        out.close();
        directory.sync(List.of(name));
        directory.syncMetaData();
      } catch (IOException e) {
        throw StateFiles.unwritten(directory, name, e);
      }
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
    private static final int WINDOW_BYTES = 1 << 16; // more than a key, or a refresh, has at most

    private final ChecksumIndexInput in;
    private final long end; // of what is read through the window: the footer begins there
    private final byte[] window = new byte[WINDOW_BYTES];
    private final ByteArrayDataInput head = new ByteArrayDataInput();
    private final StoredRefresh refresh = new StoredRefresh();
    private final StoredRefreshes stored = new StoredRefreshes();
    private int at; // in the window; what comes before was read
    private int limit; // of what is in the window
    private BytesRef key;

    Reader(Directory directory, String name) throws IOException {
      this.in = directory.openChecksumInput(name);
      try {
        StateFiles.requireVersion(in, StateFiles.path(directory, name), CODEC, VERSION);
        this.end = in.length() - CodecUtil.footerLength();
      } catch (Throwable t) {
        IOUtils.closeWhileHandlingException(in);
        throw t;
      }
    }

    /**
     * Moves to the next page, false at the end.
     *
     * @throws CorruptIndexException if what is there cannot be, or, at the end, was not written
     */
    boolean next() throws IOException {
      try {
        return read();
      } catch (AlreadyClosedException closed) {
        throw closed;
      } catch (CorruptIndexException e) { // of bytes that do not know their file
        throw new CorruptIndexException(e.getOriginalMessage(), in, e);
      } catch (RuntimeException e) {
        throw new CorruptIndexException("refreshes cannot be read", in, e);
      }
    }

    private boolean read() throws IOException {
      stored.clear();
      load(1 + 5 + IndexWriter.MAX_TERM_LENGTH + 5);
      head.reset(window, at, limit - at);
      if (head.readByte() == 0) {
        in.seek(end);
        CodecUtil.checkFooter(in);
        key = null;
        return false;
      }
      key = readKey(head);
      int left = head.readVInt();
      at = head.getPosition();
      for (; left > 0; left--) {
        load(Refresh.MOST_BYTES);
        int next = refresh.read(window, at, limit);
        stored.add(window, at, next);
        at = next;
      }
      return true;
    }

    /** Has so many bytes in the window, or all that are left. */
    private void load(int bytes) throws IOException {
      if (limit - at < bytes && in.getFilePointer() < end) {
        System.arraycopy(window, at, window, 0, limit - at);
        limit -= at;
        at = 0;
        int more = (int) Math.min(window.length - limit, end - in.getFilePointer());
        in.readBytes(window, limit, more);
        limit += more;
      }
    }

    /** The current page's key, a new object for every page. */
    BytesRef key() {
      return key;
    }

    /** The current page's refreshes, in a new list. */
    List<Refresh> refreshes() throws IOException {
      return stored.read();
    }

    /** The current page's refreshes as the file holds them; reused for the next page. */
    StoredRefreshes stored() {
      return stored;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
