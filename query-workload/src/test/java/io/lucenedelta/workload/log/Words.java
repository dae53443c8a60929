// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.QueryNormalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** The simplest analysis: runs of letters and digits, in lower case. */
final class Words {
  private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

  static final QueryNormalizer NORMALIZER =
      text ->
          Arrays.stream(NO_WORD.split(text.toLowerCase(Locale.ROOT), -1))
              .filter(word -> !word.isEmpty())
              .toList();

  private Words() {}
}
