import type { LogHead, LogProof } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';

const ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const ROOT = 'ab'.repeat(32);
const HEAD: LogHead = { size: 1_234, root: ROOT, position: 1_300, consistency: null };
const PROOF: LogProof = {
  ...{ eventId: ID, position: 7, index: 6, record: '[7]', path: [ROOT] },
  head: { size: 1_234, root: ROOT },
};

const log = async (answers: FakeAnswers, ...words: string[]) => {
  const service = await fakeService(answers);
  try {
    return await runCommand(['log', ...words], { variables: service.variables });
  } finally {
    await service.close();
  }
};

describe('laurel log', () => {
  it('prints size and hash of the log in one line, or the answer of the service with --json', async () => {
    const answers = { 'GET /admin/v1/log/head': ok(HEAD) };
    expect(await log(answers, 'head')).toMatchObject({ exitCode: 0, stdout: `1234 ${ROOT}\n` });
    expect((await log(answers, 'head', '--json')).stdout).toBe(`${JSON.stringify(HEAD)}\n`);
  });

  it('prints the proof of an event, or says that there is no such event', async () => {
    const route = `GET /admin/v1/log/proofs/${ID}`;
    expect((await log({ [route]: ok(PROOF) }, 'proof', ID)).stdout).toBe(`${JSON.stringify(PROOF)}\n`);
    const { exitCode, stderr } = await log(
      { [route]: refused('unknown_event', 'There is no such event.') },
      'proof',
      ID,
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There is no such event.')]);
  });
});
