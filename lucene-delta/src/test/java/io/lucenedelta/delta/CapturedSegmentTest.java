// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class CapturedSegmentTest {
  @Test
  void aFileThatCannotBeReadBackIsDeletedAndThePagesStayInMemory() throws IOException {
    VectorBuffer vector = new VectorBuffer();
    vector.addField(0, 3, 2);
    vector.addTerm(5, 1);
    vector.addTerm(7, 2);
    CapturedSegment segment = new CapturedSegment("_0", 1);
    segment.add(0, new BytesRef("page"), FetchTimes.UNKNOWN, vector);
    try (Unreadable directory = new Unreadable()) {
      assertThatThrownBy(() -> segment.spill(directory)).hasMessage("too many open files");
      assertThat(directory.listAll()).isEmpty();
    }
    VectorBuffer read = new VectorBuffer();
    segment.vector(0, read);
    assertThat(read.sameAs(vector)).isTrue();
  }

  private static final class Unreadable extends FilterDirectory {
    Unreadable() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      throw new IOException("too many open files");
    }
  }
}
