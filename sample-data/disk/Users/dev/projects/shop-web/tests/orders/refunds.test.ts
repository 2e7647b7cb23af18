import { applyWindows } from '../../src/orders/refunds';

describe('applyWindows', () => {
  it('keeps an empty list empty', () => {
    expect(applyWindows([])).toEqual([]);
  });

  it('adds line amounts in cents', () => {
    expect(applyWindows([1999, 501])).toEqual([1999, 501]);
  });
});
