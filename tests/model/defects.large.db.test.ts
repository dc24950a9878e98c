import { testDefects } from './test-defects.ts'

testDefects(['position off by one', 'no SKIP LOCKED', 'an attach leaves nothing to start'])
