/** Labels of the words of a sentence that something else predicted, by the name of the column. */
export type GivenColumns = Readonly<
  Record<
    string,
    {
      readonly labels: readonly string[];
      /** How much is added to the score, a logarithm of a probability, of each of these labels. */
      readonly trust: number;
    }
  >
>;
