import { expect, test } from 'vitest'
import { databaseUrl } from './server.ts'

test.each([
  ['postgresql://svc@/postgres?host=/tmp/a', 'postgresql://svc@/copy?host=/tmp/a'],
  ['postgres://u:p@db.example:5432/main', 'postgres://u:p@db.example:5432/copy'],
  ['postgres://u@db.example?sslmode=disable', 'postgres://u@db.example/copy?sslmode=disable'],
])('%s becomes %s', (server, url) => {
  expect(databaseUrl(server, 'copy')).toBe(url)
})
