// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.search;

/** A result: the page's key, its title and its whole text. */
record SearchHit(String page, String title, String text) {}
