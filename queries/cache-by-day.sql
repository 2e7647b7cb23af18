-- How did the prompt cache do on each day, and what did the day cost?
-- Columns:
--   day: calendar day in the time zone of the run; null for responses without a usable time
--   responses: responses that started on the day
--   input: prompt tokens neither read from the cache nor written to it
--   written: tokens written to the cache
--   read: tokens read from the cache
--   output: answer tokens
--   prompt_share: read / (read + written + input), to six digits; null where there was no prompt
--   cost_pico_usd: list price of the priced responses in 10^-12 US dollars; null where none is priced
--   unpriced: responses without a price, which are in no cost
-- Example: ccaudit query cache-by-day --since 30d
SELECT
  day,
  COUNT(*) AS responses,
  SUM(input) AS input,
  SUM(write_5m + write_1h + write_unsplit) AS written,
  SUM(read) AS read,
  SUM(output) AS output,
  ROUND(SUM(read) * 1.0 / NULLIF(SUM(read + write_5m + write_1h + write_unsplit + input), 0), 6) AS prompt_share,
  CASE WHEN MAX(priced) THEN SUM(cost_pico_usd) END AS cost_pico_usd,
  SUM(CASE WHEN priced THEN 0 ELSE 1 END) AS unpriced
FROM responses
GROUP BY day
ORDER BY day
