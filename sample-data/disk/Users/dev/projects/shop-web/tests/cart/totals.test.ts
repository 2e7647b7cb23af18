import { splitSteps } from '../../src/cart/totals';

describe('splitSteps', () => {
  it('keeps an empty list empty', () => {
    expect(splitSteps([])).toEqual([]);
  });

  it('adds line amounts in cents', () => {
    expect(splitSteps([1999, 501])).toEqual([1999, 501]);
  });
});
