// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapturedSegmentTest {
  private final VectorBuffer vector = new VectorBuffer();
  private final CapturedSegment segment = new CapturedSegment("_0", 1);

  @BeforeEach
  void aPage() throws IOException {
    vector.addField(0, 3, 2);
    vector.addTerm(5, 1);
    vector.addTerm(7, 2);
    segment.add(0, new BytesRef("page"), FetchTimes.UNKNOWN, vector);
  }

  @Test
  void pagesInAFileTakeNoMemoryUntilTheFileIsDeleted() throws IOException {
    assertThat(segment.bytes()).as("in memory").isEqualTo(vector.length());
    try (Directory directory = new ByteBuffersDirectory()) {
      segment.spill(directory);
      assertThat(segment.bytes()).as("in a file").isZero();
      VectorBuffer read = new VectorBuffer();
      segment.vector(0, read);
      assertThat(read.sameAs(vector)).isTrue();
      segment.close();
      assertThat(directory.listAll()).isEmpty();
    }
  }

  @Test
  void aFileThatCannotBeReadBackIsDeletedAndThePagesStayInMemory() throws IOException {
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
