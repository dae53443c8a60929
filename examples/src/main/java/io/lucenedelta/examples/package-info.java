// SPDX-License-Identifier: Apache-2.0
/**
 * The programs: one package an idea ({@code crawl}, {@code replay}, {@code report}, {@code
 * overhead}, {@code search}), and {@code cli} with one class per verb of the command line. What
 * they all write files with lies here: {@link io.lucenedelta.examples.WholeFile}, for pages {@link
 * io.lucenedelta.examples.HtmlShell}, for text of others {@link io.lucenedelta.examples.OneLine},
 * and for times in tables {@link io.lucenedelta.examples.UtcTime}.
 */
package io.lucenedelta.examples;
