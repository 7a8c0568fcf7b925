/** For tests of what operations see of many calls: calls of the last 30 days with their scores, written as the server keeps them. */

/** Runs a statement of SQL with its parameters. */
type Run = (text: string, parameters: unknown[]) => Promise<unknown>;

/** Calls of 张伟 and 李娜, each measured by both of them. @param count how many */
export async function addMeasuredCalls(run: Run, count: number): Promise<void> {
  await run(
    `INSERT INTO call_records (account_id, call_id, channel, type, media, direction, peer, peer_name, result,
       started_at, answered_at, ended_at, own)
     SELECT a.id, 'measured-' || n, 'measured-' || n, 1, 'video', CASE a.username WHEN 'lina' THEN 'in' ELSE 'out' END,
       b.chat_user_name, b.username, 'answered', at, at + interval '5 seconds', at + interval '5 minutes', true
     FROM generate_series(1, $1::int) n
       CROSS JOIN LATERAL (SELECT date_trunc('hour', now()) - n * interval '40 minutes' AS at) t
       JOIN accounts a ON a.username IN ('zhangwei', 'lina')
       JOIN accounts b ON b.username IN ('zhangwei', 'lina') AND b.id <> a.id`,
    [count],
  );
  await run(
    `INSERT INTO quality_streams (confr_id, account_id, stream, sender, kind, received, mos_sum, samples, received_at)
     SELECT 'measured-' || n, a.id::text, kind || received, CASE WHEN received THEN b.chat_user_name ELSE a.chat_user_name END,
       kind, received, 150 * (200 + (n * 37) % 250), 150, now()
     FROM generate_series(1, $1::int) n
       CROSS JOIN unnest(ARRAY['audio', 'video']) kind CROSS JOIN unnest(ARRAY[true, false]) received
       JOIN accounts a ON a.username IN ('zhangwei', 'lina')
       JOIN accounts b ON b.username IN ('zhangwei', 'lina') AND b.id <> a.id`,
    [count],
  );
}
