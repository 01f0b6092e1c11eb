import { openTestDatabase } from './database.ts';
it('opens a fresh, migrated database', async () => {
  const t0 = Date.now();
  const db = await openTestDatabase([{ name: '2-b', sql: 'insert into t values (1)' }, { name: '1-a', sql: 'create table t(a int primary key)' }]);
  console.log(Date.now() - t0);
  expect(await db.sql.query('select a from t', [])).toEqual([{ a: 1 }]);
  const t1 = Date.now();
  const db2 = await openTestDatabase([]);
  console.log(Date.now() - t1);
  await db.close();
  await db2.close();
});
