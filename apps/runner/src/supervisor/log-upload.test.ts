import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCappedOutput } from '../output/capped-output.ts'
import { refusal } from '../testing/contract-service.ts'
import { openProject } from '../testing/other-resources.ts'
import { startLogUpload, uploadKept } from './log-upload.ts'

describe('the output of a run', () => {
  test('that its lost supervisor had kept is sent from where the service has it', async () => {
    await using project = await openProject()
    const run = project.run()
    const file = join(run.folder, 'output.log')
    writeFileSync(file, 'sent already, and not yet\n[5 bytes are not kept]\nthe end')
    const { requestId: id, order } = run
    const held = { 'x-svc-lease': order.leaseToken, 'x-svc-offset': 0 }
    await run.client.call('appendRunLog', { id, ...held, bytes: Buffer.from('sent already') })
    await uploadKept(run, file, 'sent already, and not yet'.length)
    expect(project.service.log()).toBe('sent already, and not yet')
    await uploadKept(run, file, 'sent already, and not yet'.length)
    expect(project.service.log()).toBe('sent already, and not yet')
    await uploadKept(run, join(run.folder, 'nowhere'), 100)
  })

  test('ends with the word how long it is where the service keeps no more', async () => {
    await using project = await openProject()
    const run = project.run()
    const file = join(run.folder, 'output.log')
    const output = createCappedOutput(file, { headBytes: 8, tailBytes: 4 })
    output.write(Buffer.from('beginning, and much behind it'))
    const upload = startLogUpload(run, output)
    project.service.answer('appendRunLog', ({ bytes }) =>
      (bytes as Buffer).length > 0 ? refusal('too_large', 413) : undefined,
    )
    await upload.finish()
    const last = project.service.calls('appendRunLog').at(-1)?.body
    expect(last).toMatchObject({ 'x-svc-offset': 29, 'x-svc-skipped': 29, bytes: Buffer.alloc(0) })
  })
})
