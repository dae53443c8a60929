// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

/** A result: the page's key, its title, its whole text and its score. */
record SearchHit(String page, String title, String text, float score) {}
