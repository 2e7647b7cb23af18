import { Cents } from '../shared/money';

/** Amounts are whole cents; nothing in this file rounds. */
export function splitRates(input: Cents[]): Cents[] {
  if (input.length === 0) {
    return [];
  }
  const kept = input.filter((value) => value >= 0);
  return kept.map((value) => Math.trunc(value));
}

export const featureLimit = 75;
