// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.junit.Assume.assumeTrue;

import io.lucenedelta.workload.Workload;
import java.util.List;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own law-book for postings formats, with the capturing codec listening. */
public class CapturedPostingsLawBook extends BasePostingsFormatTestCase {
  private final Codec codec = capturing(TestUtil.getDefaultCodec());

  /** A codec that captures the fields that the test cases use. */
  static Codec capturing(Codec delegate) {
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder().add(List.of("the"), 1).add(List.of("a", "b"), 1).build())
            .keyField("id")
            .scoredField("field")
            .scoredField("body")
            .build();
    Capture capture =
        new Capture(config, WorkloadTerms.of(config.workload()), new Costs(false), any -> true);
    return new CaptureCodec(delegate, capture);
  }

  @Override
  protected Codec getCodec() {
    return codec;
  }

  @Override
  public void testDocIDRunEnd() throws Exception {
    assumeTrue("takes 20 s; -Dlaws=all runs it", "all".equals(System.getProperty("laws")));
    super.testDocIDRunEnd();
  }
}
