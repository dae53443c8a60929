// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseNormsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own law-book for norms, with the capturing codec listening. */
public class CapturedNormsLawBook extends BaseNormsFormatTestCase {
  private final Codec codec = CapturedPostingsLawBook.capturing(TestUtil.getDefaultCodec());

  @Override
  protected Codec getCodec() {
    return codec;
  }
}
