import { testDefects } from './test-defects.ts'

testDefects(['no SKIP LOCKED', 'an attach leaves nothing to start'])
