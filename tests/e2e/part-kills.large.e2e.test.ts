import { losesNothing } from './part-kills.ts'

losesNothing([
  { kind: 'api', signal: 'SIGKILL' },
  { kind: 'api', signal: 'SIGTERM' },
  { kind: 'mcp-gateway', signal: 'SIGKILL' },
  { kind: 'mcp-gateway', signal: 'SIGTERM' },
])
