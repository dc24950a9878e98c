import { createLog } from '@svc/process/log'
import { DomainEnvironment } from '@svc/service/domain'

export const log = createLog({ name: 'test', level: 'silent' })
/** What a command would print is of no use here. */
export const say = { stdout: () => undefined, stderr: () => undefined }

/** Of a command on that database; `key` is the byte that its key ring is made of. */
export function environmentOf(databaseUrl: string, key = 7): DomainEnvironment {
  return DomainEnvironment.parse({
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: `test:${Buffer.alloc(32, key).toString('base64')}`,
    SVC_NOTIFY: 'off',
  })
}
