// SPDX-License-Identifier: Apache-2.0
/**
 * Micro-benchmarks (JMH) of what runs once a shift, a posting or a page. Not part of the build: {@code
 * mvn -Pbench -pl examples -am verify -DskipTests -Dbench=NAME} compiles and runs those whose name
 * contains NAME. Each stands beside a straightforward version of the same work, in the same run.
 */
package io.lucenedelta.bench;
