import { resolveCoupons } from '../../src/checkout/steps';

describe('resolveCoupons', () => {
  it('keeps an empty list empty', () => {
    expect(resolveCoupons([])).toEqual([]);
  });

  it('adds line amounts in cents', () => {
    expect(resolveCoupons([1999, 501])).toEqual([1999, 501]);
  });
});
