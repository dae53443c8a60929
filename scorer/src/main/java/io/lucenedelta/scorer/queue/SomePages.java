// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.queue;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Some pages of many, found by their keys; they say nothing of what all of them teach. */
record SomePages(KnownPages known, Set<String> pages) implements KnownPages {
  @Override
  public long size() {
    return pages.size();
  }

  @Override
  public void forEach(Consumer<? super KnownPage> reader) {
    known.forEach(pages, reader);
  }

  @Override
  public void forEach(Set<String> fewer, Consumer<? super KnownPage> reader) {
    Set<String> both = new HashSet<>(pages);
    both.retainAll(fewer);
    known.forEach(both, reader);
  }
}
