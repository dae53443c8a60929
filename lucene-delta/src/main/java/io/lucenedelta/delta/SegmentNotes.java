// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * What one flush says about its pages while it is written: workload postings, keys, fetch times.
 *
 * <p>Used by the one thread that flushes; made to be reused, so that a flush allocates only when it
 * is larger than those before. What is thrown here (memory running out is the trouble that can
 * happen) must not reach the flush: callers keep it by {@link #fail}, and the rest of the flush is
 * not noted.
 *
 * <p>Called in this order: {@link #begin}, then for each field {@link #beginField} and for each of
 * its terms {@link #awaitTerm}, {@link #beginTerm} and, if that is true, {@link #addPassed} or
 * {@link #addPostings}; then {@link #failure} and {@link #group}.
 */
final class SegmentNotes {
  /** What the application may not know of its documents. */
  enum Oddity {
    SEVERAL_KEYS,
    UNREADABLE_TIMES
  }

  static final int NO_ROLE = -1;
  private static final int KEY = -2;
  private static final int TIME = -3;

  private final FlushHeap heap;
  private final Map<String, Integer> roles; // scored fields have their number
  private final WorkloadTerms terms;
  private final FaultPoints faults;
  private final Supplier<Instant> clock;
  private final int fields;
  private final String[] names; // those of scored fields

  private int maxDoc;
  private Throwable failure;
  private Costs.Noting costs;
  private int role;
  private boolean frequencies;
  private final boolean[] begun; // by field, whether its terms were noted
  private int cursor; // next workload term of the current field
  private boolean awaited; // the current term is still to be noted
  private int term; // the term whose postings are read
  private long time; // the fetch time that the current postings say

  private final PassedPostings passed;
  private final PostingsByTerm[] postings; // by field
  private final FieldNorms[] norms; // by field

  private int keyed; // documents with a key, in key order
  private int[] keyedDoc = new int[64];
  private int[] keyBounds = new int[128]; // from, to
  private byte[] keys = new byte[4096];
  private int keyBytes;
  private int keyStart; // where the current key starts
  private int severalKeys;
  private boolean[] hasKey = new boolean[64];
  private boolean timed; // some document has a term in the field of fetch times
  private long latest; // later fetch times of documents are not believed
  private int unreadableTimes; // documents whose fetch time cannot be read
  private String firstUnreadableTime; // one such fetch time; null if there is none
  private long[] times = {}; // none where no field tells them

  SegmentNotes(DeltaConfig config, WorkloadTerms terms, FlushHeap heap) {
    this.heap = heap;
    this.passed = new PassedPostings(heap);
    this.terms = terms;
    this.faults = config.faults();
    this.clock = config::now;
    this.fields = config.scoredFields().size();
    this.postings = new PostingsByTerm[fields];
    this.norms = new FieldNorms[fields];
    this.names = new String[fields];
    this.begun = new boolean[fields + 2];
    Map<String, Integer> roles = new HashMap<>();
    for (int field = 0; field < fields; field++) {
      postings[field] = new PostingsByTerm(heap);
      norms[field] = new FieldNorms(heap);
      names[field] = config.scoredFields().get(field).name();
      roles.put(names[field], field);
    }
    roles.put(config.keyField(), KEY);
    if (config.fetchTimeField() != null) {
      roles.put(config.fetchTimeField(), TIME);
    }
    this.roles = roles;
  }

  /**
   * Forgets everything and gets ready for a segment.
   *
   * @param infos the segment's fields
   * @param producer the segment's norms, or null if no field has any
   */
  void begin(int newMaxDoc, FieldInfos infos, NormsProducer producer) throws IOException {
    maxDoc = newMaxDoc;
    costs = null;
    failure = null;
    awaited = false;
    for (int field = 0; field < fields; field++) {
      postings[field].begin(maxDoc);
      norms[field].read(infos.fieldInfo(names[field]), producer, maxDoc);
    }
    passed.begin(maxDoc);
    keyed = 0;
    keyBytes = 0;
    severalKeys = 0;
    timed = false;
    unreadableTimes = 0;
    firstUnreadableTime = null;
    Arrays.fill(begun, false);
    if (hasKey.length < maxDoc) {
      hasKey = new boolean[ArrayUtil.oversize(maxDoc, 1)];
    } else {
      Arrays.fill(hasKey, 0, maxDoc, false);
    }
  }

  int roleOf(String field) {
    return roles.getOrDefault(field, NO_ROLE);
  }

  /** Counts the cost of noting the segment that was begun; null when nobody is to. */
  void count(Costs.Noting newCosts) {
    costs = newCosts;
  }

  /** What counts the cost of noting; null when nobody does. */
  Costs.Noting costs() {
    return costs;
  }

  /** Gives up noting this segment. */
  void fail(Throwable cause) {
    failure = failure == null ? cause : failure;
  }

  /** Whether this iteration of a field is to be noted: the first one is. */
  boolean beginField(int role, boolean frequencies) {
    endField();
    int slot = role >= 0 ? role : fields + (role == KEY ? 0 : 1);
    if (begun[slot] || failure != null) {
      return false;
    }
    faults.at(FaultPoints.NOTE);
    begun[slot] = true;
    this.role = role;
    this.frequencies = frequencies;
    cursor = 0;
    passed.beginField(frequencies);
    return true;
  }

  /** A term is noted when the one after it is asked for, the last one when there is none. */
  private void endField() {
    if (awaited) {
      fail(
          new IllegalStateException(
              "the postings format left a field before its last term, as one does that writes"
                  + " several side by side; only those that write one after the other can be"
                  + " measured: give the key, fetch time and scored fields another format"));
    }
  }

  /** What is needed of the current field's postings, for {@link TermsEnum#postings}. */
  int fieldFlags() {
    return role >= 0 && frequencies ? PostingsEnum.FREQS : PostingsEnum.NONE;
  }

  /** The consumer has gone to a term, which is to be {@linkplain #beginTerm noted} after it. */
  void awaitTerm() {
    awaited = true;
  }

  /** Whether the postings of a term are to be noted; {@link #addPostings} must follow then. */
  boolean beginTerm(BytesRef text) {
    awaited = false;
    try {
      return failure == null && isNoted(text);
    } catch (Throwable t) {
      failure = t;
      return false;
    }
  }

  private boolean isNoted(BytesRef text) {
    if (role >= 0) {
      term = terms.seek(text, cursor);
      cursor = term < 0 ? -1 - term : term + 1;
      return term >= 0;
    }
    if (role == KEY) {
      beginKey(text);
    } else {
      beginTime(text);
    }
    return true;
  }

  private void beginKey(BytesRef text) {
    keys = heap.grow(keys, keyBytes + text.length);
    System.arraycopy(text.bytes, text.offset, keys, keyBytes, text.length);
    keyStart = keyBytes;
    keyBytes += text.length;
  }

  private void beginTime(BytesRef text) {
    if (!timed) {
      latest = FetchTimes.latest(clock.get());
      timed = true;
      times = heap.growNoCopy(times, maxDoc);
      Arrays.fill(times, 0, maxDoc, FetchTimes.UNKNOWN);
    }
    time = FetchTimes.parse(text, latest);
    firstUnreadableTime =
        time == FetchTimes.UNKNOWN && firstUnreadableTime == null
            ? Term.toString(text)
            : firstUnreadableTime;
  }

  /** A scored field's norms, read before its postings are noted. */
  FieldNorms norms(int field) {
    return norms[field];
  }

  /** The postings of the current term as the consumer passes them. */
  PassedPostings passed() {
    return passed;
  }

  /** Notes the postings of the term begun last, a scored one, as they were passed. */
  void addPassed() {
    postings[role].add(term, passed);
  }

  /** Notes the postings of the term begun last. */
  void addPostings(PostingsEnum in) throws IOException {
    if (role >= 0) {
      postings[role].add(term, in, frequencies);
      return;
    }
    for (int doc = in.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = in.nextDoc()) {
      if (role == KEY) {
        addKey(doc);
      } else {
        times[doc] = time;
        unreadableTimes += time == FetchTimes.UNKNOWN ? 1 : 0;
      }
    }
  }

  private void addKey(int doc) {
    if (hasKey[doc]) {
      severalKeys++;
      return;
    }
    hasKey[doc] = true;
    keyedDoc = heap.grow(keyedDoc, keyed + 1);
    keyBounds = heap.grow(keyBounds, 2 * keyed + 2);
    keyedDoc[keyed] = doc;
    keyBounds[2 * keyed] = keyStart;
    keyBounds[2 * keyed + 1] = keyBytes;
    keyed++;
  }

  /** What went wrong, or null; to be asked when the segment is written. */
  Throwable failure() {
    endField();
    return failure;
  }

  int maxDoc() {
    return maxDoc;
  }

  /** Number of documents with a key; they are numbered in the order of their keys, then of docs. */
  int keyed() {
    return keyed;
  }

  /** Whether some document has several keys. */
  boolean severalKeys() {
    return severalKeys > 0;
  }

  /**
   * Tells what the application may not know of its documents.
   *
   * @param told what was told of other segments of the batch, and of which: each is told of the
   *     first alone, or there would be a sentence for every reader that is reopened
   */
  void tell(CapturedSegment segment, Map<Oddity, CapturedSegment> told, DeltaListener listener) {
    if (severalKeys > 0 && told.putIfAbsent(Oddity.SEVERAL_KEYS, segment) == null) {
      listener.trouble(
          Trouble.REJECTED,
          "segment %s has %d keys too many: a document has one key, the first in term order counts; give each one key, untokenized, as in a StringField; this is told of a batch's first such segment alone"
              .formatted(segment.name(), severalKeys),
          null);
    }
    if (unreadableTimes > 0 && told.putIfAbsent(Oddity.UNREADABLE_TIMES, segment) == null) {
      listener.trouble(
          Trouble.REJECTED,
          "segment %s has %d documents whose fetch time is no ISO-8601 instant, or after %s, a day ahead of the clock, such as \"%s\":"
                  .formatted(
                      segment.name(),
                      unreadableTimes,
                      Instant.ofEpochMilli(latest),
                      firstUnreadableTime)
              + " they count as fetched when they were committed; use DeltaConfig.fetchTime;"
              + " this is told of a batch's first such segment alone",
          null);
    }
  }

  int doc(int index) {
    return keyedDoc[index];
  }

  void key(int index, BytesRef ref) {
    ref.bytes = keys;
    ref.offset = keyBounds[2 * index];
    ref.length = keyBounds[2 * index + 1] - keyBounds[2 * index];
  }

  /** Whether some document tells a fetch time, be it one that cannot be read. */
  boolean isTimed() {
    return timed;
  }

  /** The fetch time the document tells, or {@link FetchTimes#UNKNOWN}. */
  long time(int doc) {
    return timed ? times[doc] : FetchTimes.UNKNOWN;
  }

  /** Groups the scored postings by document. */
  void group(PostingsByDocument target) {
    target.begin(maxDoc);
    for (int field = 0; field < fields; field++) {
      target.group(field, postings[field]);
    }
  }
}
