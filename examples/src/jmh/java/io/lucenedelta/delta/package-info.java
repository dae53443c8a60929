// SPDX-License-Identifier: Apache-2.0
/** Micro-benchmarks of parts of {@code lucene-delta} that its users cannot reach. */
package io.lucenedelta.delta;
