// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own law-book for stored fields, with the capturing codec listening. */
public class CapturedStoredFieldsLawBook extends BaseStoredFieldsFormatTestCase {
  private final Codec codec = CapturedPostingsLawBook.capturing(TestUtil.getDefaultCodec());

  @Override
  protected Codec getCodec() {
    return codec;
  }
}
