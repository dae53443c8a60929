// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.WordFactor;
import io.lucenedelta.scorer.schedule.RefreshQueue;
import io.lucenedelta.workload.Workload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * What a {@link FetchQueue} has to remember beside the histories: {@code queue_N}, the largest N
 * counts.
 *
 * <pre>
 * file → header, count (vint), hold^count, count (vint), discovered^count,
 *        count (vint), told^count, length (vint), WordFactor, footer
 * hold → page (string), since, until (zlong, milliseconds), failures (vint), leased (byte)
 * discovered → page (string), since (zlong), words + 1 (vint; 0 when told without), word^words
 *              (string)
 * told → page (string), count (vint), time^count (zlong)
 * </pre>
 *
 * Written as a whole under a pending name, made durable, renamed, like the manifest.
 */
final class QueueFile {
  private static final String CODEC = "LuceneDeltaQueue";
  private static final int VERSION = 3;
  private static final String PREFIX = "queue_";
  private static final NumberedFiles FILES = new NumberedFiles(PREFIX);
  private static final String PENDING = "pending_queue";

  final List<RefreshQueue.Hold> holds = new ArrayList<>();

  /** Pages that were never fetched. */
  final Map<String, Discovery> discovered = new LinkedHashMap<>();

  /** What words have promised and pages kept. */
  final WordFactor wordFactor = new WordFactor();

  /** Changes that pages say they had. */
  final ToldChanges told = new ToldChanges();

  private long number;

  /**
   * The latest file, or an empty one when there is none.
   *
   * @param workload whose terms are taken from the words, which forgets others; null for none
   */
  static QueueFile read(Directory directory, Workload workload) throws IOException {
    QueueFile file = new QueueFile();
    file.number = FILES.latest(directory);
    if (file.number == 0) {
      return file;
    }
    try (IndexInput in = directory.openInput(PREFIX + file.number, IOContext.READONCE)) {
      CodecUtil.checksumEntireFile(in); // before a length in it is taken for memory to ask for
      CodecUtil.checkHeader(in, CODEC, VERSION, VERSION);
      for (int left = in.readVInt(); left > 0; left--) {
        String page = in.readString();
        Instant since = instant(in.readZLong());
        Instant until = instant(in.readZLong());
        int failures = in.readVInt();
        boolean leased = in.readByte() == 1;
        file.holds.add(new RefreshQueue.Hold(page, since, until, failures, leased));
      }
      for (int left = in.readVInt(); left > 0; left--) {
        String page = in.readString();
        Instant since = instant(in.readZLong());
        DirectoryPath directories = DirectoryPath.of(page);
        int[] words = readWords(in, workload);
        file.discovered.put(page, new Discovery(directories, since, words));
      }
      for (int left = in.readVInt(); left > 0; left--) {
        String page = in.readString();
        for (int times = in.readVInt(); times > 0; times--) {
          file.told.add(page, instant(in.readZLong()), Instant.MAX); // in order
        }
      }
      byte[] learned = new byte[in.readVInt()];
      in.readBytes(learned, 0, learned.length);
      file.wordFactor.read(new DataInputStream(new ByteArrayInputStream(learned)));
    }
    return file;
  }

  private static int[] readWords(DataInput in, Workload workload) throws IOException {
    int count = in.readVInt() - 1;
    if (count < 0) {
      return null;
    }
    int[] terms = new int[count];
    for (int i = 0; i < count; i++) {
      String word = in.readString();
      terms[i] = workload == null ? -1 : workload.termNumber(word);
    }
    return Arrays.stream(terms).filter(term -> term >= 0).sorted().toArray();
  }

  private static void writeWords(DataOutput out, int[] terms, Workload workload)
      throws IOException {
    out.writeVInt(terms == null ? 0 : terms.length + 1);
    for (int i = 0; terms != null && i < terms.length; i++) {
      out.writeString(workload.term(terms[i]));
    }
  }

  /** An empty file that takes the place of the latest, whatever that holds. */
  static QueueFile afresh(Directory directory) throws IOException {
    QueueFile file = new QueueFile();
    file.number = FILES.latest(directory);
    return file;
  }

  /**
   * Writes what is remembered and deletes the file before.
   *
   * @param workload whose terms the words are
   */
  void write(Directory directory, Collection<RefreshQueue.Hold> held, Workload workload)
      throws IOException {
    IOUtils.deleteFilesIgnoringExceptions(directory, PENDING);
    try (IndexOutput out = directory.createOutput(PENDING, IOContext.DEFAULT)) {
      CodecUtil.writeHeader(out, CODEC, VERSION);
      out.writeVInt(held.size());
      for (RefreshQueue.Hold hold : held) {
        out.writeString(hold.page());
        out.writeZLong(millis(hold.since()));
        out.writeZLong(millis(hold.until()));
        out.writeVInt(hold.failures());
        out.writeByte((byte) (hold.leased() ? 1 : 0));
      }
      out.writeVInt(discovered.size());
      for (Map.Entry<String, Discovery> page : discovered.entrySet()) {
        out.writeString(page.getKey());
        out.writeZLong(millis(page.getValue().since()));
        writeWords(out, page.getValue().terms(), workload);
      }
      out.writeVInt(told.byPage().size());
      for (Map.Entry<String, List<Instant>> page : told.byPage().entrySet()) {
        out.writeString(page.getKey());
        out.writeVInt(page.getValue().size());
        for (Instant time : page.getValue()) {
          out.writeZLong(millis(time));
        }
      }
      ByteArrayOutputStream learned = new ByteArrayOutputStream();
      wordFactor.write(new DataOutputStream(learned));
      out.writeVInt(learned.size());
      out.writeBytes(learned.toByteArray(), learned.size());
      CodecUtil.writeFooter(out);
    }
    directory.sync(List.of(PENDING));
    directory.rename(PENDING, PREFIX + (number + 1));
    directory.syncMetaData();
    if (number > 0) {
      IOUtils.deleteFilesIgnoringExceptions(directory, PREFIX + number);
    }
    number++;
  }

  /** The nearest that 64 bits hold: a clock or a crawler can tell any time. */
  private static long millis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  private static Instant instant(long millis) {
    return millis == Long.MAX_VALUE ? Instant.MAX : Instant.ofEpochMilli(millis);
  }
}
