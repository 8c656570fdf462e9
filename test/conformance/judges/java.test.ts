import { describeJudge } from './support/describe-judge.ts';

describeJudge('java');
