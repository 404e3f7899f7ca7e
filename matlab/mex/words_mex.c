/* words_mex.c - [words, counts, summary] = words(text, k, fold, encoding, backend), the gateway behind gpumex.words.
 *
 * text: uint8 array of any shape, on the host. words: k x 1 cell array of uint8 rows, which the function in M makes texts of. */

#include <string.h>

#include "gateway.h"

static const enumerator encodings[] = {{"auto", GPUMEX_WORDS_ENCODING_UTF8},
                                       {"utf-8", GPUMEX_WORDS_ENCODING_UTF8},
                                       {"utf8", GPUMEX_WORDS_ENCODING_UTF8},
                                       {"ascii", GPUMEX_WORDS_ENCODING_ASCII},
                                       {"us-ascii", GPUMEX_WORDS_ENCODING_ASCII},
                                       {NULL, 0}};

/* Three arrays of k numbers: where the words are, how long, how often. */
static uint64_t *new_list(mxArray **kept, size_t k)
{
    *kept = mxCreateNumericMatrix((mwSize)k, 3, mxUINT64_CLASS, mxREAL);
    return mxGetData(*kept);
}

static mxArray *as_rows(const uint8_t *text, const uint64_t *positions, const uint64_t *lengths, size_t listed)
{
    mxArray *words = mxCreateCellMatrix((mwSize)listed, 1);
    for (size_t i = 0; i < listed; i++) {
        mxArray *word = mxCreateNumericMatrix(1, (mwSize)lengths[i], mxUINT8_CLASS, mxREAL);
        memcpy(mxGetData(word), text + positions[i], (size_t)lengths[i]);
        mxSetCell(words, (mwIndex)i, word);
    }
    return words;
}

static mxArray *as_double(const uint64_t *counts, size_t listed)
{
    mxArray *converted = mxCreateDoubleMatrix((mwSize)listed, 1, mxREAL);
    double *numbers = mxGetData(converted);
    for (size_t i = 0; i < listed; i++)
        numbers[i] = (double)counts[i];
    return converted;
}

void words_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 3, nrhs, 5, "[words, counts, summary] = words(text, k, fold, encoding, backend)");
    operand text = read_operand(prhs[0]);
    int is_text = text.location == ON_HOST && is_full_real(text) && text.class_id == mxUINT8_CLASS;
    require(is_text, "invalidText", "text", text, "it is a char or uint8 array on the host");
    const size_t bytes = count_elements(text.ndims, text.dims);
    uint64_t k = read_integer(prhs[1], "invalidCount", "k");
    k = k <= bytes / 2 + 1 ? k : bytes / 2 + 1; /* there are no more words */
    gpumex_words_options options = GPUMEX_WORDS_OPTIONS_INIT;
    options.fold = read_logical_option(prhs[2], "invalidFold", "Fold");
    options.encoding = read_enum(prhs[3], "invalidEncoding", "encoding", encodings);
    session s = open_session(prhs[4]);

    mxArray *kept;
    uint64_t *numbers = new_list(&kept, (size_t)k);
    gpumex_words_summary found = GPUMEX_WORDS_SUMMARY_INIT;
    check(s, gpumex_words(s.ctx, &options, text.data, bytes, (size_t)k, numbers, numbers + k, numbers + 2 * k, &found));
    plhs[0] = as_rows(text.data, numbers, numbers + k, (size_t)found.listed);
    if (nlhs > 1)
        plhs[1] = as_double(numbers + 2 * k, (size_t)found.listed);
    if (nlhs > 2) {
        plhs[2] = mxCreateStructMatrix(1, 1, 0, NULL);
        set_number(plhs[2], "Words", (double)found.words);
        set_number(plhs[2], "Distinct", (double)found.distinct);
        set_number(plhs[2], "Listed", (double)found.listed);
        set(plhs[2], "KernelMs", kernel_ms(s));
    }
    mxDestroyArray(kept);
}
