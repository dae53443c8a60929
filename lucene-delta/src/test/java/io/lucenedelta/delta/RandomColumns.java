// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.document.StoredValue;
import org.apache.lucene.document.column.BinaryColumn;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.ColumnBatch;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/** Documents that come as columns; by itself, since Lucene before 10.5 does not know them. */
final class RandomColumns {
  private RandomColumns() {}

  /** A field of documents: what it is called, how it is indexed, one value for each. */
  record Field(String name, IndexableFieldType type, List<String> values) {}

  /** Indexes documents in one of the ways that there are, in place of those with a key. */
  static void index(IndexWriter writer, int way, Term key, List<Field> fields) throws IOException {
    ColumnBatch batch = batch(fields);
    switch (way) {
      case 0, 1 -> writer.addBatch(batch);
      case 2 -> writer.updateDocuments(key, batch);
      default -> writer.updateDocuments(new TermQuery(key), batch);
    }
  }

  private static ColumnBatch batch(List<Field> fields) {
    List<Column> columns = fields.stream().map(RandomColumns::column).toList();
    return new ColumnBatch() {
      @Override
      public int numDocs() {
        return fields.get(0).values().size();
      }

      @Override
      public Iterable<Column> columns() {
        return columns;
      }
    };
  }

  private static Column column(Field field) {
    List<String> values = field.values();
    Function<Integer, BytesRef> value = i -> new BytesRef(values.get(i));
    return new BinaryColumn(field.name(), field.type(), Column.Density.SPARSE) {
      @Override
      public StoredValue.Type storedType() {
        return StoredValue.Type.STRING;
      }

      @Override
      public ObjectTupleCursor<BytesRef> tuples() {
        return new ObjectTupleCursor<>() {
          private int doc = -1;

          @Override
          public int nextDoc() {
            doc++;
            return doc < values.size() ? doc : DocIdSetIterator.NO_MORE_DOCS;
          }

          @Override
          public BytesRef value() {
            return value.apply(doc);
          }
        };
      }
    };
  }
}
