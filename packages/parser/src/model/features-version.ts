/**
 * Version of the codes of features, which are stored with weights; incremented whenever the codes of the same
 * templates change. 2: parts distinguish the position of a grandparent, and whether one word of a head bigram
 * is the head of the other. 3: whole trees have no views of the borders of paired punctuation.
 */
export const FEATURES = 3;
