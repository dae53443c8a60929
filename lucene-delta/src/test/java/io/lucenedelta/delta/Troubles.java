// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.List;

/** Writes down the troubles that are told. */
record Troubles(List<String> sentences) implements DeltaListener {
  @Override
  public void trouble(String sentence, Throwable cause) {
    sentences.add(sentence);
  }
}
