import { describeFlat } from './flat/describe-flat.ts'

// that an index finds what is asked for, also of what is small enough to be read whole
describeFlat({ missions: 5000, byIndexes: true, share: 'what is done most' })
