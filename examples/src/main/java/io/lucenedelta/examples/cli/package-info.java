// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: words typed by a person in, a table and an exit status out.
 *
 * <p>{@link io.lucenedelta.examples.cli.Main} lists the verbs; each verb is one class that checks
 * its options and calls the package that does the work. The one computation that lives here is
 * {@code RelevanceSums}, which asks an index what queries concern its pages. What goes wrong
 * becomes one line on standard error and exit status 2 (bad use) or 1 (failed); the stack trace is
 * shown with {@code --debug} only.
 */
package io.lucenedelta.examples.cli;
