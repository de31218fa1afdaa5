/**
 * Goes up whenever the same templates, of the same sentence, get other codes: the weights of one version are
 * noise to another. 2: parts know where a grandparent stands, and whether one word of a head bigram is the
 * head of the other. 3: whole trees have no views of the borders of what signs set off.
 */
export const FEATURES = 3;
