/* words_mex.c - [words, counts, summary] = words(text, k, fold, encoding, backend), the gateway behind gpumex.words.
 *
 * On several ranks text is the part of this one, and the letters of a word are on the ranks that have them: the histogram of all ranks, whose
 * weights are bytes, brings them together.
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

/* Where the part of this rank begins in the text of all. */
static uint64_t first_byte(session s, uint64_t bytes)
{
    gpumex_scan_options options = GPUMEX_SCAN_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_U64;
    options.kind = GPUMEX_SCAN_KIND_EXCLUSIVE;
    uint64_t first = 0;
    check(s, gpumex_comm_scan(ranks_of(s), &options, &bytes, 1, &first, NULL));
    expect_call(s.group);
    return first;
}

/* The bytes of this rank among those of the words behind one another: their places there, and the bytes as weights; how many. */
static size_t own_letters(operand text, uint64_t first, const uint64_t *positions, const uint64_t *lengths, size_t listed,
                          uint32_t *places, float *letters)
{
    const uint8_t *bytes = text.data;
    const uint64_t end = first + length(text);
    size_t count = 0;
    uint32_t place = 0;
    for (size_t i = 0; i < listed; i++)
        for (uint64_t at = positions[i]; at < positions[i] + lengths[i]; at++, place++)
            if (at >= first && at < end) {
                places[count] = place;
                letters[count++] = bytes[at - first];
            }
    return count;
}

/* The words on every rank. */
static mxArray *gathered_rows(session s, operand text, uint64_t first, const uint64_t *positions, const uint64_t *lengths, size_t listed)
{
    uint64_t all = 0;
    for (size_t i = 0; i < listed; i++)
        all += lengths[i];
    if (all > (UINT64_C(1) << 31))
        fail("outOfMemory", "the words have %llu letters; there are 2^31 at most", (unsigned long long)all);
    const size_t room = (size_t)all < length(text) ? (size_t)all : length(text);
    uint32_t *places = mxMalloc((room + 1) * sizeof *places);
    float *letters = mxMalloc((room + 1) * sizeof *letters);
    double *sums = mxMalloc(((size_t)all + 1) * sizeof *sums);
    const size_t count = own_letters(text, first, positions, lengths, listed, places, letters);
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_U32;
    options.hi = (double)(all > 0 ? all : 1);
    options.weights = letters;
    options.weights_dtype = GPUMEX_DTYPE_F32;
    check(s, gpumex_comm_histogram(ranks_of(s), &options, places, count, sums, (size_t)(all > 0 ? all : 1)));

    mxArray *words = mxCreateCellMatrix((mwSize)listed, 1);
    const double *from = sums;
    for (size_t i = 0; i < listed; i++) {
        mxArray *word = mxCreateNumericMatrix(1, (mwSize)lengths[i], mxUINT8_CLASS, mxREAL);
        uint8_t *to = mxGetData(word);
        for (uint64_t k = 0; k < lengths[i]; k++)
            to[k] = (uint8_t)*from++;
        mxSetCell(words, (mwIndex)i, word);
    }
    mxFree(places), mxFree(letters), mxFree(sums);
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
    gpumex_words_options options = GPUMEX_WORDS_OPTIONS_INIT;
    options.fold = read_logical_option(prhs[2], "invalidFold", "Fold");
    options.encoding = read_enum(prhs[3], "invalidEncoding", "encoding", encodings);
    session s = open_session(prhs[4]);
    uint64_t first = 0, most = bytes / 2 + 1; /* there are no more words */
    if (is_of_ranks(s)) {
        first = first_byte(s, bytes);
        most = UINT64_C(1) << 26;
        if (k > most)
            fail("invalidCount", "k is %llu; on several ranks it is up to 2^26", (unsigned long long)k);
    }
    k = k < most ? k : most;

    mxArray *kept;
    uint64_t *numbers = new_list(&kept, (size_t)k);
    gpumex_words_summary found = GPUMEX_WORDS_SUMMARY_INIT;
    if (is_of_ranks(s)) {
        int32_t status = gpumex_comm_words(ranks_of(s), &options, text.data, bytes, (size_t)k, numbers, numbers + k, numbers + 2 * k, &found);
        check(s, status);
        expect_call(s.group);
        plhs[0] = gathered_rows(s, text, first, numbers, numbers + k, (size_t)found.listed);
    } else {
        check(s, gpumex_words(s.ctx, &options, text.data, bytes, (size_t)k, numbers, numbers + k, numbers + 2 * k, &found));
        plhs[0] = as_rows(text.data, numbers, numbers + k, (size_t)found.listed);
    }
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
