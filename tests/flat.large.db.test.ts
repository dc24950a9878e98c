import { describeFlat } from './flat/describe-flat.ts'

describeFlat({ missions: 50_000, byIndexes: false, share: 'all' })
