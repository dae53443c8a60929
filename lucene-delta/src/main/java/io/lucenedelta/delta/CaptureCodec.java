// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;

/**
 * The writer's own codec with one ear at its postings.
 *
 * <p>Forwarded: everything, by identity, so that merges keep their bulk paths. Observed: the
 * postings of a flush, while the delegate's consumer iterates them, and the norms it asks for
 * meanwhile. Changed: nothing. The codec reports the delegate's name, hence the index names the
 * delegate alone and needs no class of ours to be read.
 */
final class CaptureCodec extends FilterCodec {
  private final Capture capture;
  private volatile CapturePostingsFormat wrapped;

  CaptureCodec(Codec delegate, Capture capture) {
    super(delegate.getName(), delegate);
    this.capture = capture;
  }

  @Override
  public PostingsFormat postingsFormat() {
    PostingsFormat format = delegate.postingsFormat();
    CapturePostingsFormat current = wrapped;
    if (current == null || !current.wraps(format)) {
      current = new CapturePostingsFormat(format, capture);
      wrapped = current;
    }
    return current;
  }
}
