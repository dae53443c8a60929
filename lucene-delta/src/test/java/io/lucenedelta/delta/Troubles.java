// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes down the troubles that are told, and of which kind each is. */
record Troubles(List<String> sentences, List<Trouble> kinds) implements DeltaListener {
  Troubles(List<String> sentences) {
    this(sentences, Collections.synchronizedList(new ArrayList<>()));
  }

  @Override
  public void trouble(Trouble kind, String sentence, Throwable cause) {
    kinds.add(kind);
    sentences.add(sentence);
  }
}
