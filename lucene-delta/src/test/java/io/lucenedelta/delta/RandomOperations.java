// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.Version;

/** Everything that can be asked of an index writer, at random. */
final class RandomOperations {
  /** Whether this Lucene takes documents as columns. */
  static final boolean COLUMNS_KNOWN = Version.LATEST.onOrAfter(Version.fromBits(10, 5, 0));

  /** Whether this Lucene updates doc values that are several numbers. */
  static final boolean SORTED_NUMBERS_KNOWN = Version.LATEST.onOrAfter(Version.fromBits(10, 6, 0));

  private final RandomSettings settings;
  private final RandomDocuments documents;
  private final int keys;
  private final Random unsearchable; // null where no documents come without postings
  private final Random deadOnArrival; // null where none come that are deleted softly
  private final Random byKey; // null where no batch goes by keys alone
  private int batchesByKey; // in a row, yet to come
  private IndexWriter writer;
  private DirectoryReader held; // a near-real-time reader that stays open between operations

  /**
   * Operations; those of odd seeds put documents without postings between the others, and such as
   * are deleted softly when they come, and have batches by keys alone, drawn by themselves so that
   * an even seed does what it always did.
   */
  RandomOperations(long seed, RandomSettings settings, RandomDocuments documents, int keys) {
    this.settings = settings;
    this.documents = documents;
    this.keys = keys;
    this.unsearchable = seed % 2 == 0 ? null : new Random(~seed);
    this.deadOnArrival = seed % 2 == 0 || settings.softField == null ? null : new Random(-seed);
    this.byKey = seed % 2 == 0 ? null : new Random(~seed << 1);
  }

  /** The writer that operations go to from now on. */
  void use(IndexWriter next) throws IOException {
    if (held != null) {
      held.close();
      held = null;
    }
    writer = next;
  }

  private void addDeleted(String key) throws IOException {
    if (deadOnArrival == null || deadOnArrival.nextInt(20) > 0) {
      return;
    }
    Document document = document(deadOnArrival, key);
    document.add(new NumericDocValuesField(settings.softField, 1));
    if (deadOnArrival.nextBoolean()) {
      writer.addDocument(document);
    } else {
      NumericDocValuesField softDelete = new NumericDocValuesField(settings.softField, 1);
      writer.softUpdateDocument(new Term("url", key), document, softDelete);
    }
  }

  /** Any operation, on a random page where it is about one. */
  void any(Random source) throws Exception {
    addUnsearchable();
    String key = documents.key(source.nextInt(keys));
    addDeleted(key);
    Term term = new Term("url", key);
    switch (source.nextInt(50)) {
      case 0 -> writer.deleteDocuments(tagQuery(source));
      case 1 -> writer.deleteDocuments(tag(source));
      case 2, 3, 4 -> writer.deleteDocuments(term);
      case 5 -> {
        if (source.nextInt(6) == 0) {
          writer.deleteAll();
        }
      }
      case 6 -> writer.addDocument(document(source, key));
      case 7 -> writer.addDocument(document(source, null));
      case 8 -> writer.updateDocuments(term, block(source, key, false));
      case 9 -> writer.addDocuments(block(source, null, false));
      case 10, 11, 12 -> failing(source, term, key);
      case 13, 14, 15, 16 -> softly(source, term, key);
      case 17, 18, 19 -> docValues(source, term);
      case 20 -> DirectoryReader.open(writer).close();
      case 21, 22 -> reopen();
      case 23 -> merges(source);
      case 24 -> imports(source);
      case 25, 26, 27 -> columns(source, term, key);
      case 28 -> tryDelete(source);
      case 29 -> writer.flush();
      case 30 -> writer.flushNextBuffer();
      case 31 -> writer.updateDocuments(new TermQuery(term), List.of(document(source, key)));
      case 32 -> writer.updateDocument(tag(source), document(source, key));
      case 33 -> writer.updateDocument(null, document(source, key));
      case 34 -> writer.updateDocument(term, document(source, documents.key(source.nextInt(keys))));
      case 35 -> writer.deleteDocuments(term, new Term("url", documents.key(source.nextInt(keys))));
      case 36 -> writer.setLiveCommitData(List.of(Map.entry("app", "data" + source.nextInt())));
      default -> update(source, key);
    }
  }

  void update(Random source, String key) throws IOException {
    writer.updateDocument(new Term("url", key), document(source, key));
  }

  /**
   * Whether the next batch goes by keys alone; several in a row, as what is noted of the others
   * counts for the batch after them, too.
   */
  boolean nextGoesByKey() {
    if (byKey != null && batchesByKey == 0 && byKey.nextInt(3) == 0) {
      batchesByKey = 2 + byKey.nextInt(3);
    }
    return batchesByKey > 0 && batchesByKey-- > 0;
  }

  /** Pages come, are merged and leave by their keys, which has to be settled without the index. */
  void byKey() throws Exception {
    for (int n = byKey.nextInt(20); n > 0; n--) {
      String key = documents.key(byKey.nextInt(keys));
      Term term = new Term("url", key);
      switch (byKey.nextInt(10)) {
        case 0, 1, 2 -> writer.deleteDocuments(term);
        case 3 -> replace(term, documents.key(byKey.nextInt(keys)));
        case 4 -> writer.updateDocument(term, document(byKey, null));
        case 5 -> DirectoryReader.open(writer).close();
        case 6 -> writer.forceMerge(1 + byKey.nextInt(2));
        default -> update(byKey, key);
      }
    }
  }

  /** By the only document of another key, or else it would be there twice. */
  private void replace(Term term, String by) throws IOException {
    writer.deleteDocuments(new Term("url", by));
    if (settings.softField != null && byKey.nextBoolean()) {
      NumericDocValuesField softDelete = new NumericDocValuesField(settings.softField, 1);
      writer.softUpdateDocument(term, document(byKey, by), softDelete);
    } else {
      writer.updateDocument(term, document(byKey, by));
    }
  }

  /** An operation on one page, for a thread that alone works on it. */
  void ofOnePage(Random source, String key) throws IOException {
    addUnsearchable();
    Term term = new Term("url", key);
    switch (source.nextInt(12)) {
      case 0, 1 -> writer.deleteDocuments(term);
      case 2 -> writer.deleteDocuments(new TermQuery(term));
      case 3 -> writer.addDocument(document(source, null));
      case 4 -> DirectoryReader.open(writer).close();
      case 5 -> softly(source, term, key);
      default -> update(source, key);
    }
  }

  private void addUnsearchable() throws IOException {
    if (unsearchable != null && unsearchable.nextInt(12) == 0) {
      Document document = new Document();
      document.add(new StoredField("note", "nothing to search"));
      writer.addDocument(document);
    }
  }

  private Document document(Random source, String key) {
    return documents.document(source, key, false, "u");
  }

  private static Term tag(Random source) {
    return new Term("tag", "c" + source.nextInt(4));
  }

  private static Query tagQuery(Random source) {
    return new TermQuery(tag(source));
  }

  private void softly(Random source, Term term, String key) throws IOException {
    if (settings.softField == null) {
      return;
    }
    NumericDocValuesField softDelete = new NumericDocValuesField(settings.softField, 1);
    switch (source.nextInt(3)) {
      case 0 -> writer.softUpdateDocument(term, document(source, key), softDelete);
      case 1 -> writer.softUpdateDocuments(term, block(source, key, false), softDelete);
      default -> {
        if (writer.getFieldNames().contains(settings.softField)) {
          writer.updateDocValues(term, softDelete);
        }
      }
    }
  }

  private void docValues(Random source, Term term) throws IOException {
    if (!writer.getFieldNames().contains("number") || !writer.getFieldNames().contains("blob")) {
      return;
    }
    BytesRef blob = new BytesRef("b" + source.nextInt(9));
    switch (source.nextInt(4)) {
      case 0 -> number(term, source.nextInt(100));
      case 1 -> writer.updateBinaryDocValue(term, "blob", blob);
      case 2 ->
          writer.updateDocValues(
              term,
              new NumericDocValuesField("number", source.nextInt(100)),
              new BinaryDocValuesField("blob", blob));
      default -> tryDocValue(source);
    }
  }

  private void number(Term term, int number) throws IOException {
    if (SORTED_NUMBERS_KNOWN && number % 2 == 0) {
      writer.updateSortedNumericDocValue(term, "numbers", number);
    } else {
      writer.updateNumericDocValue(term, "number", number);
    }
  }

  private void tryDocValue(Random source) throws IOException {
    boolean softly = settings.softField != null && source.nextBoolean();
    String field = softly ? settings.softField : "number";
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      if (reader.maxDoc() > 0 && writer.getFieldNames().contains(field)) {
        writer.tryUpdateDocValue(
            reader, source.nextInt(reader.maxDoc()), new NumericDocValuesField(field, 1));
      }
    }
  }

  private void reopen() throws IOException {
    if (held == null) {
      held = DirectoryReader.open(writer);
    } else {
      DirectoryReader newer = DirectoryReader.openIfChanged(held);
      if (newer != null) {
        held.close();
        held = newer;
      }
    }
  }

  private void merges(Random source) throws Exception {
    switch (source.nextInt(4)) {
      case 0 -> IndexWriter.class.getMethod("forceMergeDeletes").invoke(writer); // void up to 10.3
      case 1 -> writer.maybeMerge();
      default -> writer.forceMerge(1 + source.nextInt(2));
    }
  }

  private void columns(Random source, Term term, String key) throws IOException {
    List<String> pages = new ArrayList<>(List.of(key));
    int kind = source.nextInt(4);
    for (int i = source.nextInt(3); kind == 0 && !settings.blocksForbidden() && i > 0; i--) {
      pages.add(documents.key(source.nextInt(keys)));
    }
    List<RandomColumns.Field> fields = documents.columns(source, pages);
    if (COLUMNS_KNOWN) {
      RandomColumns.index(writer, kind, term, fields);
    }
  }

  /** Documents without a key before the one that has it; one document where blocks cannot be. */
  private List<Document> block(Random source, String lastKey, boolean fails) {
    List<Document> block = new ArrayList<>();
    for (int i = 0; !settings.blocksForbidden() && i < 1 + source.nextInt(3); i++) {
      block.add(document(source, null));
    }
    if (lastKey != null || settings.blocksForbidden()) {
      block.add(documents.document(source, lastKey, fails, "u"));
    }
    return block;
  }

  private void failing(Random source, Term term, String key) throws IOException {
    try {
      if (source.nextInt(3) == 0) {
        writer.updateDocuments(term, block(source, key, true));
      } else {
        writer.updateDocument(term, documents.document(source, key, true, "u"));
      }
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessage(RandomDocuments.BOOM);
    }
  }

  private void imports(Random source) throws IOException {
    try (Directory other = new ByteBuffersDirectory()) {
      try (IndexWriter otherWriter = new IndexWriter(other, settings.writerConfig(false))) {
        for (int i = 0; i < 4; i++) {
          String key = documents.key(source.nextInt(keys));
          Document document = documents.document(source, key, false, "i");
          otherWriter.updateDocument(new Term("url", key), document);
        }
      }
      if (source.nextBoolean()) {
        writer.addIndexes(other);
      } else {
        addReaders(other);
      }
    }
  }

  private void addReaders(Directory other) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(other)) {
      List<CodecReader> readers = new ArrayList<>();
      for (LeafReaderContext leaf : reader.leaves()) {
        readers.add((CodecReader) leaf.reader());
      }
      writer.addIndexes(readers.toArray(CodecReader[]::new));
    }
  }

  private void tryDelete(Random source) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      if (reader.maxDoc() > 0) {
        writer.tryDeleteDocument(reader, source.nextInt(reader.maxDoc()));
      }
    }
  }
}
