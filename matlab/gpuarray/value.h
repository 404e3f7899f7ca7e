/* value.h - the value of the interpreter: class gpuArray. */
#pragma once

#include <octave/oct.h>
#include <octave/ov-base.h>

#include "array.h"

namespace gpuarrays {

class gpu_value : public octave_base_value {
public:
    gpu_value();
    explicit gpu_value(const array &a);
    static gpu_value *factory(); /* what gpuArray is without arguments: gpuArray.rand (3) asks it for rand */
    gpu_value(const gpu_value &other);
    ~gpu_value();

    octave_base_value *clone() const override { return new gpu_value(*this); }
    octave_base_value *empty_clone() const override;

    /* What the interpreter asks about every value. */
    dim_vector dims() const override { return content->dims; }
    std::size_t byte_size() const override { return count_of(content) * bytes_of(content->dtype); }
    bool is_defined() const override { return true; }
    bool is_constant() const override { return true; }
    bool isobject() const override { return true; } /* brackets call horzcat and vertcat then */
    bool is_matrix_type() const override { return !is_scalar(content); }
    bool is_real_scalar() const override { return is_scalar(content) && !is_logical(content->dtype) && isreal(); }
    bool is_scalar_type() const override { return is_scalar(content); }
    bool isnumeric() const override { return !is_logical(content->dtype); }
    bool isreal() const override { return !is_complex(content->dtype); }
    bool iscomplex() const override { return is_complex(content->dtype); }
    bool isfloat() const override { return is_float(content->dtype) || iscomplex(); }
    bool isinteger() const override { return is_integer(content->dtype); }
    bool islogical() const override { return is_logical(content->dtype); }
    bool is_double_type() const override { return isfloat() && !is_single(content->dtype); }
    bool is_single_type() const override { return is_single(content->dtype); }
    bool is_true() const override;
    octave_idx_type nnz() const override;
    octave_value all(int dim) const override; /* which switch asks */
    octave_value any(int dim) const override;

    /* Indexing, assignment. */
    octave_value subsref(const std::string &type, const std::list<octave_value_list> &idx) override;
    octave_value_list subsref(const std::string &type, const std::list<octave_value_list> &idx, int nargout) override;
    octave_value subsref(const std::string &type, const std::list<octave_value_list> &idx, bool) override
    {
        return subsref(type, idx);
    }
    octave_value do_index_op(const octave_value_list &idx, bool resize_ok) override;
    octave_value subsasgn(const std::string &type, const std::list<octave_value_list> &idx,
                          const octave_value &rhs) override;
    octave::idx_vector index_vector(bool require_integers) const override;

    /* Functions that Octave calls through the value. */
    octave_value map(unary_mapper_t function) const override;
    octave_value reshape(const dim_vector &size) const override;
    octave_value permute(const Array<int> &order, bool inverse) const override;
    octave_value resize(const dim_vector &size, bool fill) const override;
    octave_value squeeze() const override;
    octave_value full_value() const override;
    octave_value as_double() const override { return as(GPUMEX_DTYPE_F64); }
    octave_value as_single() const override { return as(GPUMEX_DTYPE_F32); }
    octave_value as_int8() const override { return as(GPUMEX_DTYPE_I8); }
    octave_value as_int16() const override { return as(GPUMEX_DTYPE_I16); }
    octave_value as_int32() const override { return as(GPUMEX_DTYPE_I32); }
    octave_value as_int64() const override { return as(GPUMEX_DTYPE_I64); }
    octave_value as_uint8() const override { return as(GPUMEX_DTYPE_U8); }
    octave_value as_uint16() const override { return as(GPUMEX_DTYPE_U16); }
    octave_value as_uint32() const override { return as(GPUMEX_DTYPE_U32); }
    octave_value as_uint64() const override { return as(GPUMEX_DTYPE_U64); }

    /* One number, for what takes a number; arrays are never copied behind the user's back. */
    short int short_value(bool, bool) const override { return number().short_value(); }
    unsigned short int ushort_value(bool, bool) const override { return number().ushort_value(); }
    int int_value(bool integer, bool) const override { return number().int_value(integer); }
    unsigned int uint_value(bool integer, bool) const override { return number().uint_value(integer); }
    int nint_value(bool) const override { return number().nint_value(); }
    long int long_value(bool integer, bool) const override { return number().long_value(integer); }
    unsigned long int ulong_value(bool integer, bool) const override { return number().ulong_value(integer); }
    int64_t int64_value(bool integer, bool) const override { return number().int64_value(integer); }
    uint64_t uint64_value(bool integer, bool) const override { return number().uint64_value(integer); }
    double double_value(bool) const override { return number().double_value(true); }
    float float_value(bool) const override { return number().float_value(true); }
    bool bool_value(bool) const override { return number().bool_value(true); }
    Complex complex_value(bool) const override { return number().complex_value(true); }
    FloatComplex float_complex_value(bool) const override { return number().float_complex_value(true); }
    Matrix matrix_value(bool) const override { return number().matrix_value(true); }
    NDArray array_value(bool) const override { return number().array_value(true); }
    FloatNDArray float_array_value(bool) const override { return number().float_array_value(true); }
    FloatMatrix float_matrix_value(bool) const override { return number().float_matrix_value(true); }
    ComplexMatrix complex_matrix_value(bool) const override { return number().complex_matrix_value(true); }
    ComplexNDArray complex_array_value(bool) const override { return number().complex_array_value(true); }
    boolMatrix bool_matrix_value(bool) const override { return number().bool_matrix_value(true); }
    boolNDArray bool_array_value(bool) const override { return number().bool_array_value(true); }
    SparseMatrix sparse_matrix_value(bool) const override { return number().sparse_matrix_value(true); }
    SparseComplexMatrix sparse_complex_matrix_value(bool) const override { return number().sparse_complex_matrix_value(true); }
    SparseBoolMatrix sparse_bool_matrix_value(bool) const override { return number().sparse_bool_matrix_value(true); }
    MatrixType matrix_type() const override { return number().matrix_type(); }
    MatrixType matrix_type(const MatrixType &type) const override { return number().matrix_type(type); }
    octave_value convert_to_str_internal(bool pad, bool force, char type) const override
    {
        return number().convert_to_str_internal(pad, force, type);
    }
    std::string string_value(bool force) const override { return number().string_value(force); }

    /* Display. */
    bool print_as_scalar() const override;
    void print(std::ostream &os, bool as_read_syntax) override;
    void print_raw(std::ostream &os, bool as_read_syntax) const override;
    bool print_name_tag(std::ostream &os, const std::string &name) const override;
    void short_disp(std::ostream &os) const override;

    /* Files. */
    bool save_ascii(std::ostream &os) override;
    bool load_ascii(std::istream &is) override;
    bool save_binary(std::ostream &os, bool save_as_floats) override;
    bool load_binary(std::istream &is, bool swap, octave::mach_info::float_format format) override;
    bool save_hdf5(octave_hdf5_id place, const char *name, bool save_as_floats) override;
    octave_map map_value() const override; /* what save does with an object in MATLAB's format */

    const array &get() const { return content; }
    void set(const array &a);

private:
    octave_value as(int32_t dtype) const; /* double and single keep what is complex */
    octave_value number() const;

    array content;
    bool is_factory = false;

    DECLARE_OV_TYPEID_FUNCTIONS_AND_DATA
};

/* Makes the type known to the interpreter, once; false where it knows it from an older file, which this one has replaced since. */
bool register_type();

bool is_gpu(const octave_value &value);

/* A value as a new value of the interpreter, and back: an array of the host is copied to the device. */
octave_value value_of(const array &a);
array array_of(const octave_value &value, const char *function);

/* The same for a function that is not served for complex arrays. */
array real_array_of(const octave_value &value, const char *function);

/* An array of the host as it is, a gpuArray gathered. */
octave_value on_host(const octave_value &value);

/* The function that the interpreter is in, for errors. */
std::string current_function();

} // namespace gpuarrays
